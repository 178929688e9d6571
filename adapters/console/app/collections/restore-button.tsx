/** Restores a collection with its records, and reads all collections again. */
import { useQueryClient } from "@tanstack/react-query";
import type { Collection } from "../../../../src/collections/collection.ts";
import { announce } from "../elements/announced.tsx";
import { Button } from "../elements/controls/button.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";

interface RestoreButtonProps {
  readonly appId: string;
  readonly collection: Pick<Collection, "id" | "name">;
}

export function RestoreButton({ appId, collection: { id, name } }: RestoreButtonProps) {
  const { collections: texts } = useTexts();
  const queries = useQueryClient();
  const { dialog, attempt, isBusy } = useProblemDialog();
  const refusal = useScopeRefusal("collections:write");
  const restore = () =>
    attempt(async () => {
      await client.collections.restore(appId, id);
      await queries.invalidateQueries({ queryKey: [appId, "collections"] });
      announce(texts.restored(name));
    });
  return (
    <>
      <Button isBusy={isBusy} refusal={refusal} onClick={() => void restore()}>
        {texts.restore}
      </Button>
      {dialog}
    </>
  );
}
