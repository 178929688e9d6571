/** Creates a collection, or changes its name, description, visibility and tags. */
import { useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { NameField } from "../elements/fields/name-field.tsx";
import { setOf, type TextSet } from "../merging/three-way.ts";
import { useMergedSave } from "../merging/use-merged-save.tsx";
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

interface CollectionFields {
  readonly name: string;
  readonly description: string;
  readonly visibility: Collection["visibility"];
  readonly tags: TextSet;
}

const fieldsOf = ({ name, description, visibility, tags }: Collection): CollectionFields => ({
  name,
  description,
  visibility,
  tags: setOf(tags.map(({ id }) => id)),
});

const NEW: CollectionFields = { name: "", description: "", visibility: "PRIVATE", tags: {} };

export function CollectionForm({ appId, collection, onSaved, onClose }: CollectionFormProps) {
  const { collections: texts, general } = useTexts();
  const [fields, setFields] = useState(() => (collection === null ? NEW : fieldsOf(collection)));
  const { name, description, visibility, tags } = fields;
  const change = (changes: Partial<CollectionFields>) => setFields({ ...fields, ...changes });
  const merging = useMergedSave<Collection, CollectionFields>({
    first: collection,
    fieldsOf,
    revisionOf: ({ revision }) => revision,
    names: {
      name: { label: general.name },
      description: { label: general.description },
      visibility: { label: texts.visibility, values: texts.visibilities },
      tags: { label: texts.sections.tags, isOne: true },
    },
    read: ({ id }) => client.collections.get(appId, id),
    write(next, base) {
      const settings = { ...next, tags: Object.keys(next.tags) };
      return base === null
        ? client.collections.create(appId, settings)
        : client.collections.update(appId, base.id, { ...settings, expected_revision: base.revision });
    },
    current: () => fields,
    show: setFields,
  });
  const save = async () => {
    const saved = await merging.save(fields);
    if (saved !== null) onSaved(saved.stored);
    return saved !== null;
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
          {merging.note}
          <NameField value={name} onChange={(next) => change({ name: next })} error={error} />
          <Field label={general.description} isOptional error={fieldError(error, "/description")}>
            {(attributes) => (
              <textarea
                {...attributes}
                value={description}
                onChange={({ target }) => change({ description: target.value })}
              />
            )}
          </Field>
          <Field label={texts.visibility}>
            {(attributes) => (
              <select
                {...attributes}
                value={visibility}
                onChange={({ target }) =>
                  change({ visibility: VISIBILITIES.find((one) => one === target.value) ?? visibility })
                }
              >
                {VISIBILITIES.map((one) => (
                  <option key={one} value={one}>
                    {texts.visibilities[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TagPicker
            appId={appId}
            legend={texts.sections.tags}
            chosen={Object.keys(tags)}
            onChange={(chosen) => change({ tags: setOf(chosen) })}
          />
        </>
      )}
    </FormDialog>
  );
}
