/** Reads what was submitted to a form: a form of a browser, or JSON of a program. */
import { collectBody } from "../encoding/collect-body.ts";
import { requireUncompressed } from "../encoding/content-coding.ts";
import { urlEncodedPairs } from "../encoding/form-urlencoded.ts";
import { essenceOf, isJsonType } from "../encoding/text-types.ts";
import { requireUtf8, utf8 } from "../encoding/utf8.ts";
import { type FieldError, StepwellError } from "../errors.ts";
import type { StoreFile } from "../files/create-file.ts";
import { discardFiles } from "../files/discard-files.ts";
import type { File } from "../files/file.ts";
import { safeName } from "../files/file-name.ts";
import { isRecord, type JsonObject, parseJson } from "../json.ts";
import type { Hash } from "../ports/hash.ts";
import type { FileField } from "../workflows/input/input-field.ts";
import { unusedNames } from "./check-names.ts";
import { type FormField, type Submitted, valuesOf, withNested } from "./form-values.ts";
import { readFormParts } from "./read-form-parts.ts";
import { controlNames, grouped, submittedTexts } from "./submitted-texts.ts";

/** A request that submits a form. */
export interface SubmittedForm {
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether names that the form does not have are errors: in requests of programs. */
  readonly refusesUnknown: boolean;
}

/** What makes two files the same. */
export type SubmittedFile = Pick<File, "name" | "size" | "sha256">;

export interface Submission {
  readonly values: JsonObject;
  /** The same as texts, to show the form again. */
  readonly texts: Submitted;
  /** What came without effect, such as unknown names. */
  readonly errors: readonly FieldError[];
  /** The files that came with it, by their ids in `values`. Those that were not stored have ids of no file. */
  readonly files: ReadonlyMap<string, SubmittedFile>;
  /** Deletes the files that came with it, because nobody uses them. */
  discard(): Promise<void>;
}

export interface SubmissionParts {
  readonly storeFile: StoreFile;
  removeFile(appId: string, fileId: string): Promise<void>;
  readonly hash: Pick<Hash, "stream">;
  /** Bytes of all values together. */
  readonly bodyBytes: number;
  /** Bytes of each file. */
  readonly fileBytes: number;
}

const WITHOUT_FILES = { files: new Map<string, SubmittedFile>(), discard: async () => undefined } as const;
/** Fields and files of a form. */
const MAX_PARTS = 2_000;
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/**
 * @param given.key Identifies the submission, for the ids of its files.
 * @throws StepwellError `malformed`, `too_large`, `unsupported_media_type`, `unavailable`
 */
export async function readSubmission(
  { storeFile, removeFile, hash, bodyBytes, fileBytes }: SubmissionParts,
  given: SubmittedForm & {
    readonly appId: string;
    readonly key: string;
    readonly fields: readonly FormField[];
    /** Whether files are stored, instead of only being compared with those of an earlier answer. */
    readonly keepsFiles: boolean;
  },
): Promise<Submission> {
  const { appId, key, fields, keepsFiles, headers, body, refusesUnknown } = given;
  const contentType = headers.get("content-type") ?? "";
  requireUncompressed(headers);
  requireUtf8(contentType);
  const type = essenceOf(contentType);
  const nameOf = controlNames(fields);
  if (isJsonType(type)) {
    const values = parseJson(utf8(await collectBody(body, bodyBytes)));
    if (!isRecord(values)) throw new StepwellError("malformed", "The body must be a JSON object.");
    return { values: values as JsonObject, texts: new Map(), errors: [], ...WITHOUT_FILES }; // parsed JSON
  }
  if (type === FORM) {
    const pairs = urlEncodedPairs(await collectBody(body, bodyBytes));
    const decoded = pairs.map(([name, value]) => [nameOf(utf8(name, "The form")), utf8(value, "The form")] as const);
    const texts = submittedTexts(fields, decoded);
    const errors = unusedNames(fields, { texts, files: new Set() }, refusesUnknown);
    return { values: valuesOf(fields, texts), texts, errors, ...WITHOUT_FILES };
  }
  if (type !== MULTIPART) {
    const message = `A form must be ${MULTIPART}, ${FORM} or application/json, not ${JSON.stringify(type.slice(0, 100))}.`;
    throw new StepwellError("unsupported_media_type", message);
  }
  const stored: string[] = [];
  const discard = () => discardFiles(removeFile, appId, stored);
  const fileFields = fileFieldsIn(fields);
  const files = new Map<string, SubmittedFile>();
  const idsByField: [string, string][] = [];
  const namesOfFiles = new Set<string>();
  try {
    const limits = { valueBytes: bodyBytes, parts: MAX_PARTS };
    const pairs = await readFormParts(contentType, body, limits, async ({ field: given, name, body: bytes }) => {
      const field = nameOf(given);
      const fileField = fileFields.get(field);
      // A browser sends an empty file without a name where nothing was chosen.
      if (name === "") return drain(bytes);
      namesOfFiles.add(field);
      if (fileField === undefined) return drain(bytes);
      const { visibility = "PRIVATE", max_size = fileBytes } = fileField;
      const maxSize = Math.min(max_size, fileBytes);
      const own = { app_id: appId, key: `${key}/${stored.length}`, maxSize, visibility };
      const file = keepsFiles
        ? await storeFile({ ...own, open: () => ({ name, body: bytes }) })
        : { id: `${files.size}`, name: safeName(name), ...(await digestOf(bytes, maxSize, hash)) };
      if (keepsFiles) stored.push(file.id);
      files.set(file.id, file);
      idsByField.push([field, file.id]);
    });
    const named = pairs.map(([name, value]) => [nameOf(name), value] as const);
    const received = submittedTexts(fields, named);
    const texts = new Map([...received].filter(([name]) => !fileFields.has(name)));
    const errors = unusedNames(fields, { texts: received, files: namesOfFiles }, refusesUnknown);
    const values = valuesOf(fields, new Map([...texts, ...grouped(idsByField)]));
    return { values, texts, errors, files, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** The file fields by the names of their controls. */
function fileFieldsIn(fields: readonly FormField[]): Map<string, FileField> {
  return new Map(
    withNested(fields).flatMap(({ name, field }): [string, FileField][] =>
      field.type === "file" ? [[name, field]] : [],
    ),
  );
}

/** The digest of a file that is not stored. Bytes above the limit only count: no stored file has as many. */
async function digestOf(bytes: AsyncIterable<Uint8Array>, limit: number, hash: Pick<Hash, "stream">) {
  const digest = hash.stream();
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size <= limit) digest.update(piece);
  }
  return { size, sha256: digest.digest() };
}

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}
