/** Creates a collection, or changes its name, description, visibility and tags. */
import { useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { NameField } from "../elements/fields/name-field.tsx";
import { client } from "../server/client.ts";
import { TagPicker } from "../tags/tag-picker.tsx";
import { useTexts } from "../texts/language.ts";

interface CollectionFormProps {
  readonly appId: string;
  /** Null for a new one. */
  readonly collection: Collection | null;
  readonly onSaved: (collection: Collection) => void;
  readonly onClose: () => void;
}

const VISIBILITIES = ["PRIVATE", "PUBLIC"] as const;

export function CollectionForm({ appId, collection, onSaved, onClose }: CollectionFormProps) {
  const { collections: texts, general } = useTexts();
  const [name, setName] = useState(collection?.name ?? "");
  const [description, setDescription] = useState(collection?.description ?? "");
  const [visibility, setVisibility] = useState(collection?.visibility ?? "PRIVATE");
  const [tags, setTags] = useState<readonly string[]>(collection?.tags.map(({ id }) => id) ?? []);
  const save = async () => {
    const settings = { name, description, visibility, tags: [...tags] };
    onSaved(
      collection === null
        ? await client.collections.create(appId, settings)
        : await client.collections.update(appId, collection.id, {
            ...settings,
            expected_revision: collection.revision,
          }),
    );
  };
  return (
    <FormDialog
      title={collection === null ? texts.create : general.edit}
      action={collection === null ? general.create : general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={["/name", "/description"]}
    >
      {(error) => (
        <>
          <NameField value={name} onChange={setName} error={error} />
          <Field label={general.description} isOptional error={fieldError(error, "/description")}>
            {(attributes) => (
              <textarea {...attributes} value={description} onChange={({ target }) => setDescription(target.value)} />
            )}
          </Field>
          <Field label={texts.visibility}>
            {(attributes) => (
              <select
                {...attributes}
                value={visibility}
                onChange={({ target }) => setVisibility(VISIBILITIES.find((one) => one === target.value) ?? visibility)}
              >
                {VISIBILITIES.map((one) => (
                  <option key={one} value={one}>
                    {texts.visibilities[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TagPicker appId={appId} legend={texts.sections.tags} chosen={tags} onChange={setTags} />
        </>
      )}
    </FormDialog>
  );
}
