/** Imports a workflow from JSON: an exported document, or a definition alone. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { isRecord, type JsonObject } from "../../../../src/json.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { Field } from "../elements/fields/field.tsx";
import { JsonTextField } from "../elements/fields/json-text-field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import type { Messages } from "../texts/messages.ts";
import { freeName, importedName, renamed } from "./imported-name.ts";
import { importedVersion } from "./imported-version.ts";

interface ImportDialogProps {
  readonly appId: string;
  /** Called with the id of the workflow; null after the import of several. */
  readonly onImported: (id: string | null) => void;
  readonly onClose: () => void;
}

export function ImportDialog({ appId, onImported, onClose }: ImportDialogProps) {
  const { workflows: texts } = useTexts();
  const [text, setText] = useState("");
  const file = useFile(setText);
  const { value, problem } = parsed(text, texts);
  const original = value === null ? null : (importedName(value) ?? nameOfDefinition(value));
  const { taken, isKnown } = useTakenNames(appId, original);
  const [typed, setTyped] = useState<{ readonly for: string; readonly name: string } | null>(null);
  const proposed = original === null ? null : freeName(original, taken);
  const name = typed !== null && typed.for === original ? typed.name : proposed;

  /** A definition has a name only if it was downloaded with one. */
  function nameOfDefinition(definition: JsonObject): string | null {
    return "format" in definition ? null : (file.name ?? texts.importedName);
  }

  async function run(): Promise<void> {
    if (value === null) return;
    const wanted = name === null ? value : renamed(value, name);
    onImported(await importDocument(appId, wanted, name ?? texts.importedName));
  }

  return (
    <FormDialog
      title={texts.importTitle}
      action={texts.importAction}
      onSubmit={run}
      onClose={onClose}
      canSubmit={value !== null && isKnown}
      announcement={null}
    >
      {() => (
        <>
          <p>{texts.importText}</p>
          <Field label={texts.importFile} error={file.isUnreadable ? texts.importUnreadable : null}>
            {(attributes) => (
              <input
                {...attributes}
                type="file"
                accept=".json,application/json"
                onChange={({ target }) => void file.choose(target.files?.[0])}
              />
            )}
          </Field>
          <JsonTextField label={texts.importJson} error={problem} value={text} onChange={setText} />
          {value === null ? null : <Contained document={value} />}
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
        </>
      )}
    </FormDialog>
  );
}

/** Says whether the workflow is deployed with the import. */
function Contained({ document }: { readonly document: JsonObject }) {
  const { workflows: texts } = useTexts();
  const version = importedVersion(document);
  if (version === null) return null;
  return <p>{version === "draft" ? texts.importDraft : texts.importVersion(version)}</p>;
}

/** A file that is read when it is chosen. The one that was chosen last counts, whichever is read first. */
function useFile(onRead: (text: string) => void) {
  const [name, setName] = useState<string | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const latest = useRef<File | null>(null);
  async function choose(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    latest.current = file;
    // It may have been deleted since.
    const text = await file.text().catch(() => null);
    if (latest.current !== file) return;
    setUnreadable(text === null);
    if (text === null) return;
    setName(file.name.replace(/(?:\.stepwell)?\.json$/i, ""));
    onRead(text);
  }
  return { name, isUnreadable, choose };
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

/** The object that the text is, or what is wrong with it. */
function parsed(text: string, texts: Messages["workflows"]) {
  if (text.trim() === "") return { value: null, problem: null };
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { value: value as JsonObject, problem: null }; // JSON
    return { value: null, problem: texts.importNoObject };
  } catch (error) {
    return { value: null, problem: texts.importRefused(error instanceof Error ? error.message : "") };
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
