/** Creates a record. */
import { useState } from "react";
import type { CollectionRecord } from "../../../../src/collections/records/record.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { useFormPart } from "../forms/parts/use-form-part.ts";
import { client } from "../server/client.ts";
import { TagPicker } from "../tags/tag-picker.tsx";
import { useTexts } from "../texts/language.ts";
import { RecordPart } from "./record-part.tsx";
import { readRecordData } from "./record-patch.ts";

interface RecordDialogProps {
  readonly appId: string;
  readonly collectionId: string;
  /** Other records, whose fields the form has. */
  readonly others: readonly CollectionRecord[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function RecordDialog({ appId, collectionId, others, onSaved, onClose }: RecordDialogProps) {
  const { records: texts, general } = useTexts();
  const part = useFormPart({});
  const [tags, setTags] = useState<readonly string[]>([]);
  const save = async () => {
    const data = readRecordData(part, texts.notData);
    if (data === null) return false;
    try {
      await client.records.create(appId, collectionId, { data, tags: [...tags] });
    } catch (error) {
      part.refuse(error, "/data");
      throw error;
    }
    onSaved();
    return true;
  };
  return (
    <FormDialog title={texts.create} action={general.create} onSubmit={save} onClose={onClose} pointers={["/data"]}>
      {() => (
        <>
          <RecordPart part={part} appId={appId} collectionId={collectionId} records={others} />
          <TagPicker appId={appId} legend={texts.tags} chosen={tags} onChange={setTags} />
        </>
      )}
    </FormDialog>
  );
}
