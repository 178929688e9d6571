/** Extracts the contents of a file: its text, and its images as files of the app. */
import { MEBIBYTE, readBytes } from "../encoding/bytes.ts";
import { StepwellError } from "../errors.ts";
import { type JsonObject, omitUndefined } from "../json.ts";
import { ExtractError, type Extracted, type Extractor } from "../ports/extractor.ts";
import type { StoreFile } from "./create-file.ts";
import { contentTypeOf, type File, fileSummary } from "./file.ts";
import type { Files } from "./files.ts";

export interface ContentsRequest {
  readonly text: boolean;
  readonly images: boolean;
}

export interface ContentsCall {
  readonly appId: string;
  readonly fileId: string;
  readonly request: ContentsRequest;
  /** The same for every attempt, so that images already stored are not stored again. */
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns `contents` if text is requested, and `images` as files with the visibility of the original.
 * @throws StepwellError `not_found`; `too_large` and `unsupported_media_type` with the problem of the document
 */
export type ExtractContents = (call: ContentsCall) => Promise<JsonObject>;

export function createExtractContents(parts: {
  files: Files;
  storeFile: StoreFile;
  extractor(): Promise<Extractor>;
}): ExtractContents {
  const { files, storeFile, extractor } = parts;

  async function extract({ appId, fileId, request, signal }: ContentsCall): Promise<{ file: File; found: Extracted }> {
    const reader = await extractor();
    const { file, body } = await files.content(appId, fileId);
    if (file.size > reader.maxSize) {
      await body.cancel();
      const message = `The contents of ${JSON.stringify(file.name)} cannot be read: it exceeds ${Math.floor(reader.maxSize / MEBIBYTE)} MiB.`;
      throw new StepwellError("too_large", message);
    }
    const bytes = await readBytes(body);
    const document = { name: file.name, mime_type: contentTypeOf(file), bytes };
    try {
      return { file, found: await reader.extract(document, request, { signal, tenant: appId }) };
    } catch (error) {
      if (!(error instanceof ExtractError)) throw error;
      throw new StepwellError(errorCodeOf(error), error.message, { publicDetail: error.message, cause: error });
    }
  }

  return async (call) => {
    const { appId, fileId, request } = call;
    if (!request.text) {
      // An image contains itself.
      const file = await files.get(appId, fileId, false);
      if (file.mime_type.startsWith("image/")) return { images: [fileSummary(file)] };
    }
    const { file, found } = await extract(call);
    const images: JsonObject[] = [];
    for (const [index, { name, bytes }] of found.images.entries()) {
      const { app_id, visibility } = file;
      const key = `${call.key}/${file.id}/${index}`;
      images.push(
        fileSummary(
          await storeFile({ key, app_id, visibility, maxSize: bytes.length, open: () => ({ name, body: bytes }) }),
        ),
      );
    }
    return omitUndefined({
      contents: request.text ? (found.text ?? "") : undefined,
      images: request.images ? images : undefined,
    });
  };
}

function errorCodeOf({ code }: ExtractError): "too_large" | "unsupported_media_type" | "unavailable" {
  if (code === "too_large" || code === "timeout") return "too_large";
  return code === "not_installed" || code === "canceled" ? "unavailable" : "unsupported_media_type";
}
