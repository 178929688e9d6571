/** Says that a collection is deleted, and restores it with its records. */
import { useQueryClient } from "@tanstack/react-query";
import type { Collection } from "../../../../src/collections/collection.ts";
import { Button } from "../elements/controls/button.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { Icon } from "../elements/icons.tsx";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";

/** Restores a collection, and reads all collections again. */
export function useRestoring(appId: string) {
  const queries = useQueryClient();
  const { dialog, attempt, isBusy } = useProblemDialog();
  const restore = (id: string) =>
    attempt(async () => {
      await client.collections.restore(appId, id);
      await queries.invalidateQueries({ queryKey: [appId, "collections"] });
    });
  return { dialog, isBusy, restore };
}

interface DeletedNoteProps {
  readonly appId: string;
  readonly collection: Collection;
}

export function DeletedNote({ appId, collection }: DeletedNoteProps) {
  const { collections: texts, general } = useTexts();
  const { dialog, isBusy, restore } = useRestoring(appId);
  const refusal = useMay("collections:write") ? undefined : general.needsScope("collections:write");
  if (!collection.deleted) return null;
  return (
    <div role="status" className="problem-note">
      <p>
        <Icon name="warning" /> <strong>{texts.isDeleted}</strong>
      </p>
      <Button
        isBusy={isBusy}
        disabled={refusal !== undefined}
        title={refusal}
        onClick={() => void restore(collection.id)}
      >
        {texts.restore}
      </Button>
      {dialog}
    </div>
  );
}
