/** Reads what was submitted to a form: a form of a browser, or JSON of a program. */
import { collectBody } from "../encoding/collect-body.ts";
import { urlEncodedPairs } from "../encoding/form-urlencoded.ts";
import { essenceOf, isJsonType } from "../encoding/text-types.ts";
import { utf8 } from "../encoding/utf8.ts";
import { StepwellError } from "../errors.ts";
import type { StoreFile } from "../files/create-file.ts";
import { discardFiles } from "../files/discard-files.ts";
import { isRecord, type JsonObject, parseJson, pointer } from "../json.ts";
import type { FileField } from "../workflows/input/input-field.ts";
import { type FormField, type Submitted, valuesOf, withNested } from "./form-values.ts";
import { readFormParts } from "./read-form-parts.ts";

export interface Submission {
  readonly values: JsonObject;
  /** The same as texts, to show the form again. */
  readonly texts: Submitted;
  /** Whether files came with it. */
  readonly hasFiles: boolean;
  /** Deletes the files that came with it, because nobody uses them. */
  discard(): Promise<void>;
}

export interface SubmissionParts {
  readonly storeFile: StoreFile;
  removeFile(appId: string, fileId: string): Promise<void>;
  /** Bytes of all values together. */
  readonly bodyBytes: number;
  /** Bytes of each file. */
  readonly fileBytes: number;
}

const WITHOUT_FILES = { hasFiles: false, discard: async () => undefined } as const;
/** Fields and files of a form. */
const MAX_PARTS = 2_000;
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/**
 * @param given.key Identifies the submission, for the ids of its files.
 * @throws StepwellError `malformed`, `too_large`, `unsupported_media_type`, `unavailable`
 */
export async function readSubmission(
  { storeFile, removeFile, bodyBytes, fileBytes }: SubmissionParts,
  given: {
    readonly appId: string;
    readonly key: string;
    readonly fields: readonly FormField[];
    /** Whether files are stored, instead of being ignored. */
    readonly keepsFiles: boolean;
    readonly contentType: string;
    readonly body: AsyncIterable<Uint8Array>;
  },
): Promise<Submission> {
  const { appId, key, fields, keepsFiles, contentType, body } = given;
  const type = essenceOf(contentType);
  const nameOf = controlNames(fields);
  if (isJsonType(type)) {
    const values = parseJson(utf8(await collectBody(body, bodyBytes)));
    if (!isRecord(values)) throw new StepwellError("malformed", "The body must be a JSON object.");
    return { values: values as JsonObject, texts: new Map(), ...WITHOUT_FILES }; // parsed JSON
  }
  if (type === FORM) {
    const pairs = urlEncodedPairs(await collectBody(body, bodyBytes));
    const texts = grouped(pairs.map(([name, value]) => [nameOf(utf8(name, "The form")), utf8(value, "The form")]));
    return { values: valuesOf(fields, texts), texts, ...WITHOUT_FILES };
  }
  if (type !== MULTIPART) {
    const message = `A form must be ${MULTIPART}, ${FORM} or application/json, not ${JSON.stringify(type.slice(0, 100))}.`;
    throw new StepwellError("unsupported_media_type", message);
  }
  const stored: string[] = [];
  const discard = () => discardFiles(removeFile, appId, stored);
  const fileFields = fileFieldsIn(fields);
  const files: [string, string][] = [];
  try {
    const limits = { valueBytes: bodyBytes, parts: MAX_PARTS };
    const values = await readFormParts(contentType, body, limits, async ({ field: given, name, body: bytes }) => {
      const field = nameOf(given);
      const fileField = fileFields.get(field);
      // A browser sends an empty file without a name where nothing was chosen.
      if (name === "" || fileField === undefined || !keepsFiles) return drain(bytes);
      const { visibility = "PRIVATE", max_size = fileBytes } = fileField;
      const maxSize = Math.min(max_size, fileBytes);
      const own = { app_id: appId, key: `${key}/${stored.length}`, maxSize, visibility };
      const { id } = await storeFile({ ...own, open: () => ({ name, body: bytes }) });
      stored.push(id);
      files.push([field, id]);
    });
    const named = values.map(([name, value]) => [nameOf(name), value] as const);
    const texts = grouped(named.filter(([name]) => !fileFields.has(name)));
    return {
      values: valuesOf(fields, new Map([...texts, ...grouped(files)])),
      texts,
      hasFiles: stored.length > 0,
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Controls are named by JSON Pointers. Programs may send the plain name of a field instead, as they do to webhooks. */
function controlNames(fields: readonly FormField[]): (given: string) => string {
  const controls = new Set(withNested(fields).map(({ name }) => name));
  return (given) => (controls.has(given) || !controls.has(pointer([given])) ? given : pointer([given]));
}

/** The file fields by the names of their controls. */
function fileFieldsIn(fields: readonly FormField[]): Map<string, FileField> {
  return new Map(
    withNested(fields).flatMap(({ name, field }): [string, FileField][] =>
      field.type === "file" ? [[name, field]] : [],
    ),
  );
}

function grouped(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const [name, text] of pairs) {
    const known = texts.get(name);
    if (known === undefined) texts.set(name, [text]);
    else known.push(text);
  }
  return texts;
}

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}
