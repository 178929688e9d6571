/** Receives an upload request: multipart with one part named `file`, or JSON with `file_url`. */

import { StepwellError } from "../errors.ts";
import type { File } from "../files/file.ts";
import { parseJson } from "../json.ts";
import { check } from "../schema.ts";
import { readMultipart } from "./multipart/multipart.ts";
import { MAX_OVERHEAD_BYTES } from "./multipart/splitter.ts";
import { type UploadDocument, UploadFromUrl } from "./upload.ts";
import type { Uploads } from "./uploads.ts";

/** Bytes of the JSON body, which contains one URL. */
const MAX_JSON_BYTES = 64 * 1024;

/** @throws StepwellError as `uploads.open` and `uploads.store`; `malformed`; `unsupported_media_type` for other types */
export async function receiveRequest(
  uploads: Uploads,
  uploadId: string,
  request: Request,
  body: AsyncIterable<Uint8Array>,
): Promise<File> {
  const upload = await uploads.open(uploadId);
  const contentType = request.headers.get("content-type") ?? "";
  const [mediaType = ""] = contentType.split(";");
  const { signal } = request;
  switch (mediaType.trim().toLowerCase()) {
    case "multipart/form-data": {
      checkAnnouncedSize(request, upload.document);
      return uploads.store(upload, { ...(await readMultipart(contentType, body)), signal });
    }
    case "application/json": {
      const { file_url } = check(UploadFromUrl, parseJson(await textOf(body)));
      return uploads.storeFrom(upload, file_url, signal);
    }
    default: {
      const given = contentType === "" ? "no Content-Type" : JSON.stringify(contentType.slice(0, 100));
      const message = `An upload must be multipart/form-data or application/json, not ${given}.`;
      throw new StepwellError("unsupported_media_type", message);
    }
  }
}

/** Rejects a file by its announced size, before reading anything. */
function checkAnnouncedSize(request: Request, { max_size }: UploadDocument): void {
  const announced = Number(request.headers.get("content-length") ?? "0");
  if (announced > max_size + MAX_OVERHEAD_BYTES) {
    throw new StepwellError("too_large", `The file exceeds the limit of ${max_size} bytes.`);
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for await (const bytes of body) {
    size += bytes.byteLength;
    if (size > MAX_JSON_BYTES)
      throw new StepwellError("too_large", `The body exceeds the limit of ${MAX_JSON_BYTES} bytes.`);
    text += decodeBytes(decoder, bytes);
  }
  return text + decodeBytes(decoder);
}

function decodeBytes(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw new StepwellError("malformed", "The body is not valid UTF-8.", { cause });
  }
}
