/** Says that a collection is deleted, and restores it. */
import type { Collection } from "../../../../src/collections/collection.ts";
import { Callout } from "../elements/callout.tsx";
import { useTexts } from "../texts/language.ts";
import { RestoreButton } from "./restore-button.tsx";

interface DeletedNoteProps {
  readonly appId: string;
  readonly collection: Collection;
}

export function DeletedNote({ appId, collection }: DeletedNoteProps) {
  const { collections: texts } = useTexts();
  if (!collection.deleted) return null;
  return (
    <Callout
      icon="warning"
      title={texts.isDeleted}
      role="status"
      actions={<RestoreButton appId={appId} collection={collection} />}
    />
  );
}
