/** The indexed fields of a collection. */
import { useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { isSameJson } from "../merging/same-json.ts";
import { setOf, type TextSet } from "../merging/three-way.ts";
import { useMergedSave } from "../merging/use-merged-save.tsx";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { linesOf } from "./field-paths.ts";
import { type SavedSettings, SettingsForm } from "./settings-form.tsx";
import type { SettingsProps } from "./settings-props.ts";

const POINTERS = ["/config/indexes"];

interface IndexFields {
  readonly indexes: TextSet;
}

const fieldsOf = ({ config }: Collection): IndexFields => ({ indexes: setOf(config.indexes) });

/** What the form says of them, to compare with. */
const textOf = ({ indexes }: IndexFields) => Object.keys(indexes).sort().join("\n");

export function Indexes({ appId, collection, onChanged }: SettingsProps) {
  const { collections: texts } = useTexts();
  const [text, setText] = useState(() => collection.config.indexes.join("\n"));
  const shown = setOf(linesOf(text));
  const merging = useMergedSave<Collection, IndexFields>({
    first: collection,
    latest: collection,
    fieldsOf,
    revisionOf: ({ revision }) => revision,
    names: { indexes: { label: null } },
    read: ({ id }) => client.collections.get(appId, id),
    write: ({ indexes }, base) =>
      client.collections.update(appId, collection.id, {
        config: { indexes: Object.keys(indexes) },
        expected_revision: (base ?? collection).revision,
      }),
    current: () => ({ indexes: shown }),
    show: ({ indexes }) => isSameJson(indexes, shown) || setText(Object.keys(indexes).join("\n")),
  });
  useLeaveGuard(merging.isChanged);
  async function save(): Promise<SavedSettings<string> | null> {
    const saved = await merging.save({ indexes: shown });
    if (saved === null) return null;
    onChanged();
    return { value: textOf(fieldsOf(saved.stored)), elsewhere: saved.elsewhere };
  }
  return (
    <SettingsForm collection={collection} value={textOf({ indexes: shown })} onSave={save} pointers={POINTERS}>
      {(error) => (
        <>
          {merging.note}
          <Field label={texts.indexes} hint={texts.indexesHint} error={fieldError(error, "/config/indexes")}>
            {(attributes) => (
              <textarea
                {...attributes}
                spellCheck={false}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            )}
          </Field>
          <ul>
            {collection.config.index_states.map((state) => (
              <li key={state.path}>{texts.indexState(state.path, state.state)}</li>
            ))}
          </ul>
        </>
      )}
    </SettingsForm>
  );
}
