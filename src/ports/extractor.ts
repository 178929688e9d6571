/** Extracts text and images from documents. */
import { omitUndefined } from "../json.ts";

/** A document to read. */
export interface ExtractorDocument {
  /** Used in messages, and to name images without a name. */
  readonly name: string;
  /** Decides how the bytes are read. May have parameters such as `charset`. */
  readonly mime_type: string;
  /** Not modified. Copied if they are sent to another thread. */
  readonly bytes: Uint8Array;
  /** URL of the document, to resolve relative links. */
  readonly url?: string;
}

/** What to extract from a document. */
export interface ExtractRequest {
  /** Whether to extract the text. */
  readonly text: boolean;
  /** Whether to extract the images. */
  readonly images: boolean;
  /**
   * Whether to extract only the main content of HTML, without navigation and advertisements, as Markdown with links,
   * emphasis and code. An extractor that doesn't support this returns everything.
   */
  readonly article?: boolean;
}

/** Options of `extract`. */
export interface ExtractOptions {
  /** Cancels the extraction. */
  readonly signal?: AbortSignal | undefined;
  /** Whose document it is: the id of an app. */
  readonly tenant?: string | undefined;
}

/** An image of a document. */
export interface ExtractedImage {
  /** Its name in the document, or a name based on its position. Not unique. */
  readonly name: string;
  /** Detected from the bytes. */
  readonly mime_type: string;
  /** Bytes of the image. */
  readonly bytes: Uint8Array;
}

/** The text and images of a document. */
export interface Extracted {
  /**
   * Null if not requested. Empty if the document contains none, such as a scan. Paragraphs are separated by an empty
   * line. Headings, lists and tables use Markdown. Rows of sheets have tabs between cells.
   */
  readonly text: string | null;
  /** Images without duplicates, in document order. Empty if not requested. */
  readonly images: readonly ExtractedImage[];
}

/** Extracts text and images from documents. */
export interface Extractor {
  /** Name in messages. */
  readonly name: string;
  /** Maximum size of a document in bytes. Larger files are not loaded into memory. */
  readonly maxSize: number;
  /** Whether it can read documents of this media type. */
  supports(mimeType: string): boolean;
  /**
   * Reads an untrusted document, with limits on time, memory and output, and without blocking the caller's event loop.
   * Documents beyond its concurrency wait; tenants take turns, so that none starves another.
   * @throws ExtractError, or the signal's reason if it aborts.
   */
  extract(document: ExtractorDocument, request: ExtractRequest, options?: ExtractOptions): Promise<Extracted>;
  /** Stops all extractions, which fail with `canceled`. */
  close(): Promise<void>;
}

/**
 * - `unsupported`: the media type is not supported; the message lists supported types.
 * - `not_installed`: a required package is not installed; the message names it.
 * - `damaged`: the document is broken, or not of its media type.
 * - `encrypted`: the document requires a password.
 * - `too_large`: the document or its content exceeds the limit named by `limit`.
 * - `timeout`: the time limit was exceeded.
 * - `canceled`: the extractor is closed.
 */
export type ExtractErrorCode =
  | "unsupported"
  | "not_installed"
  | "damaged"
  | "encrypted"
  | "too_large"
  | "timeout"
  | "canceled";

/** Details of an {@link ExtractError}. */
export interface ExtractErrorDetails {
  /** With `too_large`: the name of the limit's option. */
  readonly limit?: string | undefined;
  /** The underlying error. */
  readonly cause?: unknown;
}

/** A document could not be read. The message addresses the user who uploaded it. */
export class ExtractError extends Error {
  /** Always `ExtractError`. */
  override readonly name = "ExtractError";
  /** Why the document could not be read. */
  readonly code: ExtractErrorCode;
  /** With `too_large`: the name of the limit's option. */
  readonly limit: string | undefined;

  constructor(code: ExtractErrorCode, message: string, details: ExtractErrorDetails = {}) {
    super(message, omitUndefined({ cause: details.cause }));
    this.code = code;
    this.limit = details.limit;
  }
}
