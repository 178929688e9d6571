/** From what a caller asks for to a run that can be started: version, start, input with its files. DESIGN 5.1, 5.5. */
import type { App } from "../apps/app.ts";
import type { FieldError } from "../errors.ts";
import type { File } from "../files/file.ts";
import { isAllowed } from "../files/media-type.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Ids } from "../ports/ids.ts";
import { invalid } from "../schema.ts";
import type { InputDefinition } from "../workflows/input-field.ts";
import type { Version } from "../workflows/version.ts";
import type { AwaitedFiles, NewRun } from "./executor.ts";
import type { RunCreate } from "./run.ts";
import { checkInput, type NamedFile } from "./run-input.ts";

/** @throws StepwellError `invalid` with every bad field, `not_found`, `conflict` where nothing was deployed. */
export type PrepareRun = (appId: string, workflowId: string, input: RunCreate) => Promise<NewRun>;

/** What a file is in the input of a run. */
export type InputFile = Pick<File, "id" | "name" | "size" | "mime_type" | "sha256">;

/** Until when a file with this id may still come to the app; null when none is expected. */
export type FindExpected = (appId: string, fileId: string) => Promise<string | null>;

/** The files of these ids; null where the app has none. */
export type FindFiles = (appId: string, fileIds: readonly string[]) => Promise<readonly (File | null)[]>;

export function createPrepareRun(parts: {
  ids: Ids;
  getApp(appId: string): Promise<App>;
  versionForRun(appId: string, workflowId: string, version: string): Promise<Version>;
  findFiles: FindFiles;
  findExpected: FindExpected;
}): PrepareRun {
  const { ids, getApp, versionForRun, findFiles, findExpected } = parts;
  return async (appId, workflowId, { input = {}, version: wanted = "latest", step_key, wait_for_files }) => {
    const version = await versionForRun(appId, workflowId, String(wanted));
    const start = startOf(version, step_key);
    const { name } = await getApp(appId);
    const { values, awaiting } = await completeInput(
      { appId, definition: definitionAt(version, start), given: input, defaults: version.input_default ?? {} },
      { findFiles, ...(wait_for_files === true ? { findExpected } : {}) },
    );
    return { id: ids.next("run"), app: { id: appId, name }, version, input, values, awaiting, start, parent: null };
  };
}

/** The input step that a run starts at; null where the version has none. */
export function startOf({ steps }: Version, wanted: string | undefined): string | null {
  const inputs = steps.filter(({ type }) => type === "input");
  if (wanted === undefined) return inputs[0]?.key ?? null;
  if (inputs.some(({ key }) => key === wanted)) return wanted;
  const keys = inputs.map(({ key }) => JSON.stringify(key)).join(", ");
  const message = keys === "" ? "The version has no input step." : `Must be the key of an input step: ${keys}.`;
  throw invalid([{ pointer: "/step_key", message }]);
}

/** What the version asks every run for, and what the input step asks for that it starts at. */
export function definitionAt({ input, steps }: Version, start: string | null): InputDefinition {
  const step = steps.find(({ key }) => key === start);
  return step?.type === "input" ? { ...input, ...step.input } : input;
}

export interface GivenInput {
  readonly appId: string;
  readonly definition: InputDefinition;
  readonly given: JsonObject;
  readonly defaults: JsonObject;
  /** Where the input stands in what the caller sent. */
  readonly base?: readonly string[];
}

/**
 * Checks an input, fills in its defaults, and puts files in the place of their ids.
 * @param find Without `findExpected`, files have to be there.
 * @throws StepwellError `invalid` with every bad field.
 */
export async function completeInput(
  { appId, definition, given, defaults, base = ["input"] }: GivenInput,
  find: { readonly findFiles: FindFiles; readonly findExpected?: FindExpected },
): Promise<{ readonly values: JsonObject; readonly awaiting: AwaitedFiles | null }> {
  const { values, files, errors } = checkInput(definition, given, defaults, base);
  if (files.length === 0 && errors.length === 0) return { values, awaiting: null };
  const found = await find.findFiles(
    appId,
    files.map(({ id }) => id),
  );
  const missing = files.filter((_, index) => found[index] === null);
  const until = await Promise.all(missing.map(({ id }) => find.findExpected?.(appId, id) ?? null));
  const expected = new Set(missing.filter((_, index) => until[index] !== null).map(({ id }) => id));
  const wrong = [
    ...errors,
    ...files.flatMap((file, index) => (expected.has(file.id) ? [] : fileErrors(file, found[index] ?? null))),
  ];
  if (wrong.length > 0) throw invalid(wrong);
  const known = new Map(found.flatMap((file) => (file === null ? [] : [[file.id, file]])));
  const [first] = until.flatMap((moment) => (moment === null ? [] : [moment])).sort();
  return {
    values: withFiles(definition, values, known),
    awaiting: first === undefined ? null : { file_ids: [...expected], until: first },
  };
}

function fileErrors({ id, pointer, allowed_types: allowed }: NamedFile, file: File | null): FieldError[] {
  if (file === null) return [{ pointer, message: `There is no file with the id ${JSON.stringify(id.slice(0, 100))}.` }];
  if (allowed === undefined || isAllowed(file.mime_type, allowed)) return [];
  return [{ pointer, message: `The file is ${file.mime_type} by its content; allowed is ${allowed.join(", ")}.` }];
}

function withFiles(definition: InputDefinition, values: JsonObject, files: ReadonlyMap<string, File>): JsonObject {
  const put = (value: JsonValue, field: InputDefinition[string]): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => put(item, field));
    if (field.type === "file" && typeof value === "string") return shown(files.get(value)) ?? value;
    if (field.type !== "object" || typeof value !== "object" || value === null) return value;
    return withFiles(field.fields, value, files);
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = Object.hasOwn(definition, name) ? definition[name] : undefined;
      return [name, field === undefined ? value : put(value, field)];
    }),
  );
}

function shown(file: File | undefined): JsonObject | undefined {
  if (file === undefined) return undefined;
  const { id, name, size, mime_type, sha256 } = file;
  return { id, name, size, mime_type, sha256 } satisfies InputFile;
}
