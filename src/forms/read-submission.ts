/** Reads what was submitted to a form: a form of a browser, or JSON of a program. */
import { collectBody } from "../encoding/collect-body.ts";
import { requireUncompressed } from "../encoding/content-coding.ts";
import { urlEncodedPairs } from "../encoding/form-urlencoded.ts";
import { essenceOf, isJsonType } from "../encoding/text-types.ts";
import { requireUtf8, utf8 } from "../encoding/utf8.ts";
import { type FieldError, StepwellError } from "../errors.ts";
import { isRecord, type JsonObject, parseJson } from "../json.ts";
import type { Language } from "../web-pages/languages.ts";
import { choicesOf, hasChoices } from "../workflows/field-options.ts";
import { unusedNames } from "./check-names.ts";
import { type FormField, type Submitted, valuesOf, withNested } from "./form-values.ts";
import { readFormParts } from "./read-form-parts.ts";
import {
  createFileReceiver,
  type FileReceiverParts,
  fileFieldsIn,
  type LargeFile,
  type SubmittedFile,
} from "./receive-files.ts";
import { controlNames, submittedTexts } from "./submitted-texts.ts";
import { notationOf, withPlainValues } from "./written-values.ts";

/** A request that submits a form. */
export interface SubmittedForm {
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * The language of the web page that sends it; null for a program. From a page, names that the form does not have are
   * ignored, an optional field that was cleared is null instead of its default, and numbers have the notation of the language.
   */
  readonly pageLanguage: Language | null;
}

export interface Submission {
  /** Whether a web page has sent it, not a program. */
  readonly isFromPage: boolean;
  readonly values: JsonObject;
  /** The same as texts, to show the form again. */
  readonly texts: Submitted;
  /** What came without effect, such as unknown names. */
  readonly errors: readonly FieldError[];
  /** The files that came with it, by their ids in `values`. Those that were not stored have ids of no file. */
  readonly files: ReadonlyMap<string, SubmittedFile>;
  /** The files that were refused because of the limits of their fields, by the names of these. */
  readonly largeFiles: ReadonlyMap<string, LargeFile>;
  /** Deletes the files that came with it, because nobody uses them. */
  discard(): Promise<void>;
}

export interface SubmissionParts extends FileReceiverParts {
  /** Bytes of all values together. */
  readonly bodyBytes: number;
}

/** What the host accepts. */
export type FormLimits = Pick<SubmissionParts, "bodyBytes" | "fileBytes">;

const WITHOUT_FILES = {
  files: new Map<string, SubmittedFile>(),
  largeFiles: new Map<string, LargeFile>(),
  discard: async () => undefined,
} as const;
/** Fields that a form may have besides one for each control: those of lists, and what extensions of browsers add. */
const MAX_OTHER_FIELDS = 2_000;
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/** The files that came with a submission, by their ids in its values. One above its limit has none. */
export const sentWith = ({ files }: Pick<Submission, "files">) => ({
  has: (id: string) => id === "" || files.has(id),
});

/**
 * @param given.key Identifies the submission, for the ids of its files.
 * @throws StepwellError `malformed`, `too_large`, `unsupported_media_type`, `unavailable`
 */
export async function readSubmission(
  parts: SubmissionParts,
  given: SubmittedForm & {
    readonly appId: string;
    readonly key: string;
    readonly fields: readonly FormField[];
    /** Whether files are stored, instead of only being compared with those of an earlier answer. */
    readonly keepsFiles: boolean;
  },
): Promise<Submission> {
  const { bodyBytes } = parts;
  const { fields, headers, body, pageLanguage } = given;
  const isFromPage = pageLanguage !== null;
  const contentType = headers.get("content-type") ?? "";
  requireUncompressed(headers);
  requireUtf8(contentType);
  const type = essenceOf(contentType);
  const nameOf = controlNames(fields);
  const maxFields = controlsIn(fields) + MAX_OTHER_FIELDS;
  if (isJsonType(type)) {
    const values = parseJson(utf8(await collectBody(body, bodyBytes)));
    if (!isRecord(values)) throw new StepwellError("malformed", "The body must be a JSON object.");
    return { isFromPage, values: values as JsonObject, texts: new Map(), errors: [], ...WITHOUT_FILES }; // parsed JSON
  }
  if (type === FORM) {
    const pairs = urlEncodedPairs(await collectBody(body, bodyBytes), maxFields);
    const decoded = pairs.map(([name, value]) => [nameOf(utf8(name, "The form")), utf8(value, "The form")] as const);
    const texts = submittedTexts(fields, decoded);
    const unused = unusedNames(fields, { texts, files: new Set() }, !isFromPage);
    const files = fileFieldsIn(fields);
    const { values, errors } = readTexts(new Map([...texts].filter(([name]) => !files.has(name))), given);
    return { isFromPage, values, texts, errors: [...unused, ...errors], ...WITHOUT_FILES };
  }
  if (type !== MULTIPART) {
    const message = `A form must be ${MULTIPART}, ${FORM} or application/json, not ${JSON.stringify(type.slice(0, 100))}.`;
    throw new StepwellError("unsupported_media_type", message);
  }
  const received = createFileReceiver(parts, given);
  const { files, largeFiles, discard } = received;
  try {
    const limits = { valueBytes: bodyBytes, parts: maxFields };
    const pairs = await readFormParts(contentType, body, limits, (file) => received.receive(nameOf(file.field), file));
    const named = pairs.map(([name, value]) => [nameOf(name), value] as const);
    const sent = submittedTexts(fields, named);
    const texts = new Map([...sent].filter(([name]) => !received.fileFields.has(name)));
    const unused = unusedNames(fields, { texts: sent, files: received.names }, !isFromPage);
    const { values, errors: unread } = readTexts(new Map([...texts, ...received.ids]), given);
    const errors = [...unused, ...received.errors, ...unread];
    return { isFromPage, values, texts, errors, files, largeFiles, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** The values of texts, and the errors of numbers that are not written as on the page. */
function readTexts(
  submitted: Submitted,
  { fields, pageLanguage }: Pick<SubmittedForm, "pageLanguage"> & { readonly fields: readonly FormField[] },
): Pick<Submission, "values" | "errors"> {
  if (pageLanguage === null) return { values: valuesOf(fields, submitted, false), errors: [] };
  const { texts, errors } = withPlainValues(fields, submitted, notationOf(pageLanguage));
  return { values: valuesOf(fields, texts, true), errors };
}

/** Number of controls, with each choice that can be checked. */
function controlsIn(fields: readonly FormField[]): number {
  return withNested(fields).reduce((sum, { field, control }) => {
    const count = control === "choices" && hasChoices(field) ? (choicesOf(field) ?? []).length : 1;
    return sum + count;
  }, 0);
}
