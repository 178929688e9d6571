/** The indexed fields of a collection. */
import { useEffect, useRef, useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
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

const textOf = ({ config }: Collection) => config.indexes.join("\n");

export function Indexes({ appId, collection, onChanged }: SettingsProps) {
  const { collections: texts } = useTexts();
  const [text, setText] = useState(() => textOf(collection));
  const shown = useRef(text);
  shown.current = text;
  const merging = useMergedSave<Collection, IndexFields>({
    first: collection,
    fieldsOf: ({ config }) => ({ indexes: setOf(config.indexes) }),
    revisionOf: ({ revision }) => revision,
    names: { indexes: { label: null } },
    read: ({ id }) => client.collections.get(appId, id),
    write: ({ indexes }, base) =>
      client.collections.update(appId, collection.id, {
        config: { indexes: Object.keys(indexes) },
        expected_revision: (base ?? collection).revision,
      }),
    current: () => ({ indexes: setOf(linesOf(text)) }),
    show: ({ indexes }) => setText(Object.keys(indexes).join("\n")),
  });
  const isChanged = () => linesOf(text).join("\n") !== textOf(merging.base() ?? collection);
  useLeaveGuard(isChanged);
  // What others have stored is shown while nothing is changed here.
  useEffect(() => {
    if (collection.revision <= (merging.base() ?? collection).revision || isChanged()) return;
    merging.rebase(collection);
    setText(textOf(collection));
  });
  async function save(): Promise<SavedSettings<string> | null> {
    const saved = await merging.save({ indexes: setOf(linesOf(text)) });
    if (saved === null) return null;
    onChanged();
    const { elsewhere } = saved;
    // What was typed since it was sent stays.
    if (elsewhere === "" || shown.current !== text) return { value: text, elsewhere };
    setText(textOf(saved.stored));
    return { value: textOf(saved.stored), elsewhere };
  }
  return (
    <SettingsForm value={text} onSave={save} pointers={POINTERS}>
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
