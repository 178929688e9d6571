/** Creates a record. */
import { useState } from "react";
import type { RecordData } from "../../../../src/collections/records/record.ts";
import type { JsonValue } from "../../../../src/json.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { JsonField } from "../elements/fields/json-field.tsx";
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
  const { records: texts, general } = useTexts();
  const [data, setData] = useState<JsonValue>({});
  const [tags, setTags] = useState<readonly string[]>([]);
  const save = async () => {
    await client.records.create(appId, collectionId, { data: data as RecordData, tags: [...tags] }); // the server checks it
    onSaved();
  };
  return (
    <FormDialog title={texts.create} action={general.create} onSubmit={save} onClose={onClose} pointers={["/data"]}>
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
