/** Creates a record. */
import { useState } from "react";
import type { RecordData } from "../../../../src/collections/records/record.ts";
import type { JsonValue } from "../../../../src/json.ts";
import { FormDialog } from "../elements/form-dialog.tsx";
import { JsonField } from "../elements/json-field.tsx";
import { fieldError } from "../elements/use-action.ts";
import { client } from "../server/client.ts";
import { TagPicker } from "../tags/tag-picker.tsx";
import { useTexts } from "../texts/language.ts";

interface RecordDialogProps {
  readonly appId: string;
  readonly collectionId: string;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function RecordDialog({ appId, collectionId, onSaved, onClose }: RecordDialogProps) {
  const { records: texts, common } = useTexts();
  const [data, setData] = useState<JsonValue>({});
  const [tags, setTags] = useState<readonly string[]>([]);
  const save = async () => {
    await client.records.create(appId, collectionId, { data: data as RecordData, tags: [...tags] }); // the server checks it
    onSaved();
  };
  return (
    <FormDialog title={texts.create} action={common.create} onSubmit={save} onClose={onClose} pointers={["/data"]}>
      {(error) => (
        <>
          <JsonField
            label={texts.data}
            hint={texts.dataHint}
            value={data}
            onChange={setData}
            error={fieldError(error, "/data")}
          />
          <TagPicker appId={appId} legend={texts.tags} chosen={tags} onChange={setTags} />
        </>
      )}
    </FormDialog>
  );
}
