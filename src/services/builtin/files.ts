/** The built-in service `files`: steps create, read and delete files of the app. */
import * as v from "valibot";
import { fromBase64, toBase64 } from "../../encoding/base64.ts";
import { MEBIBYTE, readBytes } from "../../encoding/bytes.ts";
import { decodeText } from "../../encoding/decode-text.ts";
import { isMediaFamily } from "../../encoding/text-types.ts";
import { hasLoneSurrogate, UNPAIRED } from "../../encoding/url-component.ts";
import { isStepwellError } from "../../errors.ts";
import { contentTypeOf, FileSummary, fileSummary } from "../../files/file.ts";
import { omitUndefined } from "../../json.ts";
import { Visibility } from "../../schema.ts";
import { HOUR_MS, MINUTE_MS } from "../../time/units.ts";
import { defineService } from "../define-service.ts";
import type { ActionContext } from "../service.ts";

/** Bytes that a step can output. */
const MAX_READ_BYTES = 8 * MEBIBYTE;

const fileId = v.pipe(v.string(), v.description("Id of a file of the app."));

export const files = defineService({
  name: "files",
  title: "Files",
  actions: {
    create: {
      title: "Create a file",
      description: "Creates a file from text, from base64-encoded bytes, or from a URL.",
      input: v.pipe(
        v.strictObject({
          name: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(255))),
          text: v.optional(
            v.pipe(
              v.string(),
              v.check((text) => !hasLoneSurrogate(text), UNPAIRED),
            ),
          ),
          base64: v.optional(v.pipe(v.string(), v.base64("Must be base64."))),
          url: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(8_192))),
          visibility: v.optional(Visibility),
        }),
        v.check(
          ({ text, base64, url }) => [text, base64, url].filter((one) => one !== undefined).length === 1,
          "Must have exactly one of text, base64 and url.",
        ),
        v.check(({ name, url }) => name !== undefined || url !== undefined, "Must have a name, unless it has a url."),
      ),
      output: FileSummary,
      timeoutMs: HOUR_MS,
      run({ name, text, base64, url, visibility }, { stepwell, app_id, idempotencyKey, signal }) {
        const shared = omitUndefined({ key: idempotencyKey, visibility });
        if (url !== undefined)
          return stepwell.files.create(app_id, { ...shared, ...omitUndefined({ name }), url, signal });
        const body = text === undefined ? fromBase64(base64 ?? "") : new TextEncoder().encode(text);
        return stepwell.files.create(app_id, { ...shared, name: name ?? "file", body });
      },
    },
    read: {
      title: "Read a file",
      description: "Returns a file of at most 8 MiB as decoded text, or as base64 if it is binary.",
      input: v.strictObject({ file_id: fileId }),
      output: v.object({ ...FileSummary.entries, text: v.nullable(v.string()), base64: v.nullable(v.string()) }),
      async run({ file_id }, context) {
        const { file, bytes } = await readContent(file_id, context);
        const text = isMediaFamily(file.mime_type) ? null : decodeText(bytes, contentTypeOf(file));
        return { ...fileSummary(file), text, base64: text === null ? toBase64(bytes) : null };
      },
    },
    extract_text: {
      title: "Extract the text of a document",
      description: "Returns the text of a PDF, an Office document, a web page, an e-mail or a text file.",
      input: v.strictObject({ file_id: fileId }),
      output: v.object({ text: v.string() }),
      timeoutMs: 10 * MINUTE_MS,
      async run({ file_id }, { stepwell, app_id, signal }) {
        return { text: await stepwell.files.text(app_id, file_id, { signal }) };
      },
    },
    delete: {
      title: "Delete a file",
      description: "Deletes a file of the app and its content.",
      input: v.strictObject({ file_id: fileId }),
      output: v.object({ deleted: v.boolean() }),
      async run({ file_id }, { stepwell, app_id }) {
        const found = await stepwell.files.remove(app_id, file_id).then(
          () => true,
          (error: unknown) => {
            if (isStepwellError(error, "not_found")) return false; // perhaps an earlier attempt deleted it
            throw error;
          },
        );
        return { deleted: found };
      },
    },
  },
});

async function readContent(fileId: string, { stepwell, app_id }: ActionContext) {
  const file = await stepwell.files.get(app_id, fileId);
  if (file.size > MAX_READ_BYTES) throw new Error(`The file has ${file.size} bytes. The limit is ${MAX_READ_BYTES}.`);
  const { body } = await stepwell.files.content(app_id, fileId);
  return { file, bytes: await readBytes(body) };
}
