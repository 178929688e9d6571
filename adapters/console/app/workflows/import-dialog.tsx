/** Imports a workflow from JSON: an exported document, or a definition alone. */
import { useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { isRecord, type JsonObject } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { Field } from "../elements/fields/field.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { freeName, importedName, renamed } from "./imported-name.ts";

interface ImportDialogProps {
  readonly appId: string;
  readonly onImported: (id: string) => void;
  readonly onClose: () => void;
}

export function ImportDialog({ appId, onImported, onClose }: ImportDialogProps) {
  const { workflows: texts, general } = useTexts();
  const [text, setText] = useState("");
  const [fileName, setFileName] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  useFocusOnRefusal(error);
  const [isBusy, setBusy] = useState(false);
  const file = useId();
  const value = objectOf(text);
  const original = value === null ? null : (importedName(value) ?? nameOfDefinition(value));
  const { taken, isKnown } = useTakenNames(appId, original);
  const [typed, setTyped] = useState<{ readonly for: string; readonly name: string } | null>(null);
  const proposed = original === null ? null : freeName(original, taken);
  const name = typed !== null && typed.for === original ? typed.name : proposed;

  /** A definition has a name only if it was downloaded with one. */
  function nameOfDefinition(definition: JsonObject): string | null {
    return "format" in definition ? null : (fileName ?? texts.importedName);
  }

  async function run(): Promise<void> {
    if (value === null) return;
    setBusy(true);
    setError(null);
    try {
      const wanted = name === null ? value : renamed(value, name);
      const id = await importDocument(appId, wanted, name ?? texts.importedName);
      onClose();
      if (id !== null) onImported(id);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={texts.importTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button
            kind="primary"
            isBusy={isBusy}
            disabled={value === null || name === "" || !isKnown}
            onClick={() => void run()}
          >
            {texts.importAction}
          </Button>
        </>
      }
    >
      <p>{texts.importText}</p>
      {error === null ? null : <ProblemNote error={error} />}
      <div className="field">
        <label htmlFor={file}>{texts.importFile}</label>
        <input
          id={file}
          type="file"
          accept=".json,application/json"
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            if (chosen === undefined) return;
            setFileName(chosen.name.replace(/(?:\.stepwell)?\.json$/i, ""));
            void chosen.text().then(setText);
          }}
        />
      </div>
      <Field label={texts.importJson} error={text.trim() !== "" && value === null ? texts.importRefused : null}>
        {(attributes) => (
          <textarea
            {...attributes}
            className="code"
            rows={10}
            dir="ltr"
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {original === null || name === null ? null : (
        <Field label={texts.nameLabel} hint={taken.has(original) ? texts.importTaken(original) : null}>
          {(attributes) => (
            <input
              {...attributes}
              required
              value={name}
              onChange={({ target }) => setTyped({ for: original, name: target.value })}
            />
          )}
        </Field>
      )}
    </Dialog>
  );
}

/** Names of workflows that are like the given one. Known also if they cannot be read. */
function useTakenNames(appId: string, name: string | null) {
  const { data: found, isLoading } = useQuery({
    queryKey: [appId, "workflows", "named", name],
    queryFn: async ({ signal }) =>
      (await client.with({ signal }).workflows.list(appId, { search: name ?? "", take: 1_000 })).items,
    enabled: name !== null && name !== "",
  });
  const taken = useMemo(() => new Set(found?.map((one) => one.name)), [found]);
  return { taken, isKnown: !isLoading };
}

function objectOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : null; // JSON
  } catch {
    return null;
  }
}

/** @returns The id of the workflow; null if a document of an app has several. */
async function importDocument(appId: string, value: JsonObject, name: string): Promise<string | null> {
  if ("format" in value) {
    // The server checks the document, and names each problem.
    const imported = await client.workflows.import(
      appId,
      value as unknown as Parameters<typeof client.workflows.import>[1],
    );
    return imported.workflow_id ?? null;
  }
  const created = await client.workflows.create(appId, { name, ...value });
  return created.id;
}
