/** Says that a collection is deleted, and restores it with its records. */
import type { Collection } from "../../../../src/collections/collection.ts";
import { Callout } from "../elements/callout.tsx";
import { Button } from "../elements/controls/button.tsx";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { useRestoring } from "./use-restoring.ts";

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
    <>
      <Callout
        icon="warning"
        title={texts.isDeleted}
        role="status"
        actions={
          <Button
            isBusy={isBusy}
            disabled={refusal !== undefined}
            title={refusal}
            onClick={() => void restore(collection)}
          >
            {texts.restore}
          </Button>
        }
      />
      {dialog}
    </>
  );
}
