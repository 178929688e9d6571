/** The indexed fields of a collection. */
import { type FormEvent, useRef, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { fieldError, isShownAtFields, useAction } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { linesOf } from "./field-paths.ts";
import type { SettingsProps } from "./settings-props.ts";

export function Indexes({ appId, collection, onChanged }: SettingsProps) {
  const { collections: texts, general } = useTexts();
  const stored = collection.config.indexes.join("\n");
  const [text, setText] = useState(stored);
  useLeaveGuard(() => linesOf(text).join("\n") !== stored);
  const { isBusy, error, run } = useAction();
  const [isSaved, setSaved] = useState(false);
  const place = useFocusOnRefusal<HTMLFormElement>(error);
  const refusal = useMay("collections:write") ? undefined : general.needsScope("collections:write");
  const shown = useRef(text);
  shown.current = text;
  function submit(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      await client.collections.update(appId, collection.id, {
        config: { indexes: linesOf(text) },
        expected_revision: collection.revision,
      });
      setSaved(shown.current === text);
      onChanged();
    });
  }
  return (
    <form ref={place} className="section" onInput={() => setSaved(false)} onSubmit={submit}>
      {error === null || isShownAtFields(error, ["/config/indexes"]) ? null : <ProblemNote error={error} />}
      <Field label={texts.indexes} hint={texts.indexesHint} error={fieldError(error, "/config/indexes")}>
        {(attributes) => (
          <textarea {...attributes} spellCheck={false} value={text} onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
      <ul>
        {collection.config.index_states.map((state) => (
          <li key={state.path}>{texts.indexState(state.path, state.state)}</li>
        ))}
      </ul>
      <p>
        <Button type="submit" kind="primary" isBusy={isBusy} disabled={refusal !== undefined} title={refusal}>
          {general.save}
        </Button>{" "}
        <span role="status">{isSaved ? general.saved : ""}</span>
      </p>
    </form>
  );
}
