/** Resolves the input of a run for its steps: validated, with defaults, with files instead of their ids. */
import { type FieldError, firstErrors, missingText } from "../errors.ts";
import { type File, fileSummary } from "../files/file.ts";
import { isAllowed } from "../files/media-type.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import { checkInput, type InputReference, type InputReferences } from "../workflows/input/check-input.ts";
import type { InputDefinition } from "../workflows/input/input-field.ts";
import type { AwaitedFiles } from "./run-executor.ts";

/** When the upload URL of the file with this id expires; null if no upload URL of the app will create it. */
export type FindExpected = (appId: string, fileId: string) => Promise<string | null>;

/** The files with these ids; null for an id that the app does not have. */
export type FindFiles = (appId: string, fileIds: readonly string[]) => Promise<readonly (File | null)[]>;

/** The connections with these ids; null for an id that the app does not have. */
export type FindConnections = (
  appId: string,
  connectionIds: readonly string[],
) => Promise<readonly ({ readonly service: string } | null)[]>;

interface Finders {
  readonly findFiles: FindFiles;
  readonly findConnections: FindConnections;
}

export interface RawInput {
  readonly appId: string;
  readonly definition: InputDefinition;
  readonly given: JsonObject;
  readonly defaults: JsonObject;
  /** What to do about a file that has not been uploaded yet: a sentence; null if it may still be uploaded later. */
  readonly advice: string | null;
  /** Path of the input in the request. */
  readonly base?: readonly string[];
  /** Whether null for an optional field counts, instead of its default. */
  readonly keepsNull?: boolean;
}

export interface CompletedInput {
  readonly values: JsonObject;
  readonly awaiting: AwaitedFiles | null;
}

/**
 * Validates an input, adds defaults, and replaces ids by files.
 * @throws StepwellError `invalid` with every invalid field
 */
export type CompleteInput = (given: RawInput) => Promise<CompletedInput>;

export function createCompleteInput(parts: Finders & { findExpected: FindExpected }): CompleteInput {
  const { findFiles, findConnections, findExpected } = parts;
  return async ({ appId, definition, given, defaults, advice, base = ["input"], keepsNull = false }) => {
    const { values, files, connections, errors } = checkInput(definition, given, defaults, base, keepsNull);
    const references = files.length + connections.length;
    if (references === 0 && errors.length === 0) return { values, awaiting: null };
    const [found, invalidConnections] = await Promise.all([
      findFiles(appId, idsOf(files)),
      connectionErrors(appId, connections, findConnections),
    ]);
    const missing = files.filter((_, index) => found[index] === null);
    const until = await Promise.all(missing.map(({ id }) => findExpected(appId, id)));
    const expected = new Set(missing.filter((_, index) => until[index] !== null).map(({ id }) => id));
    const invalidFiles = firstErrors(fileErrors(files, found, { ids: expected, advice }));
    const wrong = [...errors, ...invalidFiles, ...invalidConnections];
    if (wrong.length > 0) throw invalid(wrong);
    const known = new Map(found.flatMap((file) => (file === null ? [] : [[file.id, file]])));
    const [first] = until.flatMap((moment) => (moment === null ? [] : [moment])).sort();
    return {
      values: withFiles(definition, values, known),
      awaiting: first === undefined ? null : { file_ids: [...expected], until: first },
    };
  };
}

/** Checks the files and connections that an input names. */
export type CheckInputReferences = (appId: string, references: InputReferences) => Promise<readonly FieldError[]>;

export function createInputReferenceCheck({ findFiles, findConnections }: Finders): CheckInputReferences {
  return async (appId, { files, connections }) => {
    const [found, invalidConnections] = await Promise.all([
      files.length === 0 ? [] : findFiles(appId, idsOf(files)),
      connectionErrors(appId, connections, findConnections),
    ]);
    return [...firstErrors(fileErrors(files, found, NONE_EXPECTED)), ...invalidConnections];
  };
}

const idsOf = (references: readonly InputReference[]) => references.map(({ id }) => id);

/** Files that open upload URLs will create. */
interface ExpectedFiles {
  readonly ids: ReadonlySet<string>;
  /** What to do, if they must have been uploaded; null if they may be uploaded later. */
  readonly advice: string | null;
}

const NONE_EXPECTED: ExpectedFiles = { ids: new Set(), advice: null };

function* fileErrors(
  files: readonly InputReference[],
  found: readonly (File | null)[],
  expected: ExpectedFiles,
): Generator<FieldError, void> {
  const isAccepted = cacheResults(isAllowed);
  for (const [index, { id, pointer, allowed_types: allowed, max_size }] of files.entries()) {
    const file = found[index] ?? null;
    if (expected.ids.has(id)) {
      if (expected.advice === null) continue;
      yield { pointer, message: `The file ${JSON.stringify(id)} has not been uploaded yet. ${expected.advice}` };
    } else if (file === null) yield { pointer, message: missingText("file", id) };
    else if (allowed !== undefined && !isAccepted(file.mime_type, allowed)) {
      const message = `The content of the file is ${file.mime_type}. Allowed: ${shownTypes(allowed)}.`;
      yield { pointer, message };
    } else if (max_size !== undefined && file.size > max_size) {
      yield { pointer, message: `The file has ${file.size} bytes. The limit is ${max_size} bytes.` };
    }
  }
}

async function connectionErrors(
  appId: string,
  connections: readonly InputReference[],
  findConnections: FindConnections,
): Promise<FieldError[]> {
  if (connections.length === 0) return [];
  return firstErrors(invalidConnectionErrors(connections, await findConnections(appId, idsOf(connections))));
}

function* invalidConnectionErrors(
  connections: readonly InputReference[],
  found: readonly ({ readonly service: string } | null)[],
): Generator<FieldError, void> {
  const isAccepted = cacheResults((service, allowed) => allowed.includes(service));
  for (const [index, { id, pointer, allowed_types: allowed }] of connections.entries()) {
    const connection = found[index] ?? null;
    if (connection === null) yield { pointer, message: missingText("connection", id) };
    else if (allowed !== undefined && !isAccepted(connection.service, allowed)) {
      const message = `The connection belongs to the service ${connection.service}. Allowed: ${shownTypes(allowed)}.`;
      yield { pointer, message };
    }
  }
}

/** Caches results by type and list: a request may name a thousand files for a field that allows a thousand types. */
function cacheResults(isOneOf: (type: string, allowed: readonly string[]) => boolean): typeof isOneOf {
  const known = new Map<readonly string[], Map<string, boolean>>();
  return (type, allowed) => {
    const answers = known.get(allowed) ?? new Map<string, boolean>();
    known.set(allowed, answers);
    const answer = answers.get(type) ?? isOneOf(type, allowed);
    answers.set(type, answer);
    return answer;
  };
}

const MAX_SHOWN_TYPES = 20;
const shownTypes = (allowed: readonly string[]) =>
  `${allowed.slice(0, MAX_SHOWN_TYPES).join(", ")}${allowed.length > MAX_SHOWN_TYPES ? ", …" : ""}`;

function withFiles(definition: InputDefinition, values: JsonObject, files: ReadonlyMap<string, File>): JsonObject {
  const put = (value: JsonValue, field: InputDefinition[string]): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => put(item, field));
    if (field.type === "file" && typeof value === "string") {
      const file = files.get(value);
      return file === undefined ? value : fileSummary(file);
    }
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
