/** A form with settings of a collection. It stays open: what is typed while it is sent is not saved yet. */
import { type FormEvent, type ReactNode, useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import { Button } from "../elements/controls/button.tsx";
import { isShownAtFields, useAction } from "../elements/dialogs/use-action.ts";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { useTexts } from "../texts/language.ts";
import { useCollectionRefusal } from "./collection-refusal.ts";

export interface SavedSettings<Value> {
  /** What the form shows of what was saved. */
  readonly value: Value;
  /** Says what others have changed; empty for nothing. */
  readonly elsewhere: string;
}

interface SettingsFormProps<Value> {
  readonly collection: Collection;
  /** What was entered. The form counts as saved as long as this is what was saved. */
  readonly value: Value;
  /** Resolves to null if there is something to choose first. */
  readonly onSave: () => Promise<SavedSettings<Value> | null>;
  /** JSON Pointers of the fields, which show what the server says of them. */
  readonly pointers: readonly string[];
  /** Before the button that saves. */
  readonly buttons?: ReactNode;
  readonly children: (error: unknown) => ReactNode;
}

export function SettingsForm<Value>({
  collection,
  value,
  onSave,
  pointers,
  buttons,
  children,
}: SettingsFormProps<Value>) {
  const { general } = useTexts();
  const { isBusy, error, run } = useAction();
  const [saved, setSaved] = useState<SavedSettings<Value> | null>(null);
  /** The same sentence is said again. */
  const [saves, setSaves] = useState(0);
  const place = useFocusOnRefusal<HTMLFormElement>(error);
  const refusal = useCollectionRefusal(collection);
  function submit(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      setSaved(await onSave());
      setSaves((count) => count + 1);
    });
  }
  return (
    <form ref={place} className="section" onSubmit={submit}>
      {error === null || isShownAtFields(error, pointers) ? null : <ProblemNote error={error} />}
      {children(error)}
      <p className="buttons">
        {buttons}
        <Button type="submit" kind="primary" isBusy={isBusy} refusal={refusal}>
          {general.save}
        </Button>
        <span role="status">
          <span key={saves}>{saved?.value === value ? `${general.saved} ${saved.elsewhere}`.trim() : ""}</span>
        </span>
      </p>
    </form>
  );
}
