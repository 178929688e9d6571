/** The bodies of HTTP requests: JSON, text, forms, and files of the app, which are sent as they are read. */
import { type FileLike, FormDataEncoder } from "form-data-encoder";
import * as v from "valibot";
import { contentTypeOf, type File } from "../../files/file.ts";
import type { JsonValue } from "../../json.ts";
import type { StreamedBody } from "../../ports/dial.ts";
import { jsonValue, list } from "../../schema.ts";
import { ActionError } from "../action-error.ts";
import type { ActionContext } from "../service.ts";

const MAX_PARTS = 100;
const fileId = v.pipe(v.string(), v.description("Id of a file of the app."));
const scalar = v.union([v.string(), v.number(), v.boolean()]);
/** Values by name. A list gives the same name several times, null none. */
export const Pairs = v.record(v.string(), v.nullable(v.union([scalar, list(scalar)])));
export type Pairs = v.InferOutput<typeof Pairs>;

const Part = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.minLength(1, "Must not be empty.")),
    value: v.optional(scalar),
    file_id: v.optional(fileId),
    file_name: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
  }),
  v.check(
    ({ value, file_id }) => (value === undefined) !== (file_id === undefined),
    "Must have either value or file_id.",
  ),
  v.check(({ file_id, file_name }) => file_id !== undefined || file_name === undefined, "file_name requires file_id."),
);
type Part = v.InferOutput<typeof Part>;

/** At most one of these is the body of a request. */
export const bodyFields = {
  json: v.optional(v.pipe(jsonValue, v.description("Body to send as application/json."))),
  text: v.optional(v.pipe(v.string(), v.description("Body to send as UTF-8 text."))),
  form: v.optional(v.pipe(Pairs, v.description("Body to send as application/x-www-form-urlencoded."))),
} as const;

export const fileBodyFields = {
  multipart: v.optional(
    v.pipe(
      list(Part),
      v.minLength(1, "Must have at least one part."),
      v.maxLength(MAX_PARTS, `Must have at most ${MAX_PARTS} parts.`),
      v.description("Body to send as multipart/form-data: texts and files of the app."),
    ),
  ),
  file_id: v.optional(v.pipe(fileId, v.description("Id of a file of the app to send as the body."))),
} as const;

export interface BodyFields {
  readonly json?: JsonValue | undefined;
  readonly text?: string | undefined;
  readonly form?: Pairs | undefined;
  readonly multipart?: readonly Part[] | undefined;
  readonly file_id?: string | undefined;
}

export interface RequestBody {
  readonly type: string;
  readonly content: string | StreamedBody;
}

function bodiesOf({ json, text, form, multipart, file_id }: BodyFields): readonly unknown[] {
  return [json, text, form, multipart, file_id].filter((one) => one !== undefined);
}

export const hasBody = (fields: BodyFields) => bodiesOf(fields).length > 0;
export const hasOneBody = (fields: BodyFields) => bodiesOf(fields).length <= 1;
export const ONE_BODY = "Must have at most one of json, text, form, multipart and file_id.";

type FileContext = Pick<ActionContext, "stepwell" | "app_id">;

/** Undefined if there is none. @throws StepwellError `not_found` for an unknown file */
export async function requestBody(fields: BodyFields, context: FileContext): Promise<RequestBody | undefined> {
  const { json, text, form, multipart, file_id } = fields;
  if (json !== undefined) return { type: "application/json", content: JSON.stringify(json) };
  if (text !== undefined) return { type: "text/plain;charset=UTF-8", content: text };
  if (form !== undefined) {
    return { type: "application/x-www-form-urlencoded;charset=UTF-8", content: parametersOf(form).toString() };
  }
  if (file_id !== undefined) {
    const file = await context.stepwell.files.get(context.app_id, file_id);
    return { type: contentTypeOf(file), content: { size: file.size, open: () => bytesOf(file, context) } };
  }
  return multipart === undefined ? undefined : multipartBody(multipart, context);
}

export function parametersOf(pairs: Pairs): URLSearchParams {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(pairs)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== null) all.append(name, String(one));
  }
  return all;
}

async function* bytesOf({ id }: File, { stepwell, app_id }: FileContext): AsyncGenerator<Uint8Array, void> {
  const { body } = await stepwell.files.content(app_id, id);
  yield* body;
}

async function multipartBody(parts: readonly Part[], context: FileContext): Promise<RequestBody> {
  const entries = await Promise.all(parts.map((part) => entryOf(part, context)));
  const encoder = new FormDataEncoder(formOf(entries));
  const size = Number(encoder.contentLength);
  if (!Number.isSafeInteger(size)) throw new ActionError("invalid", "The size of the multipart body is unknown.");
  return { type: encoder.contentType, content: { size, open: () => encoder.encode() } };
}

type Entry = readonly [name: string, value: string | FileLike];

async function entryOf({ name, value, file_id, file_name }: Part, context: FileContext): Promise<Entry> {
  if (file_id === undefined) return [name, String(value)];
  const file = await context.stepwell.files.get(context.app_id, file_id);
  const content: FileLike = {
    name: file_name ?? file.name,
    type: contentTypeOf(file),
    size: file.size,
    lastModified: Date.parse(file.created_at),
    stream: () => bytesOf(file, context),
    [Symbol.toStringTag]: "File",
  };
  return [name, content];
}

/** What the encoder reads of a FormData object. That of the runtime would hold files in memory. */
function formOf(entries: readonly Entry[]) {
  const all = entries.map(([name, value]): [string, string | FileLike] => [name, value]);
  return {
    append: (name: string, value: unknown) => void all.push([name, String(value)]),
    getAll: (wanted: string) => all.filter(([name]) => name === wanted).map(([, value]) => value),
    entries: () => all.values(),
    [Symbol.iterator]: () => all.values(),
    [Symbol.toStringTag]: "FormData",
  };
}
