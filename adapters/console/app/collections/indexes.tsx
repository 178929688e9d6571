/** The indexed fields of a collection. */
import { useState } from "react";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { linesOf } from "./field-paths.ts";
import { SettingsForm } from "./settings-form.tsx";
import type { SettingsProps } from "./settings-props.ts";

const POINTERS = ["/config/indexes"];

export function Indexes({ appId, collection, onChanged }: SettingsProps) {
  const { collections: texts } = useTexts();
  const stored = collection.config.indexes.join("\n");
  const [text, setText] = useState(stored);
  useLeaveGuard(() => linesOf(text).join("\n") !== stored);
  async function save(): Promise<void> {
    await client.collections.update(appId, collection.id, {
      config: { indexes: linesOf(text) },
      expected_revision: collection.revision,
    });
    onChanged();
  }
  return (
    <SettingsForm value={text} onSave={save} pointers={POINTERS}>
      {(error) => (
        <>
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
