/** What reads the text of documents, and the images in them. */
import { omitUndefined } from "../json.ts";

export interface ExtractorDocument {
  /** Only for messages, and for names of images that have none of their own. */
  readonly name: string;
  /** Decides how the bytes are read; parameters such as `charset` may follow. */
  readonly mime_type: string;
  /** Only read: they are the caller's, and copied where they go elsewhere. */
  readonly bytes: Uint8Array;
  /** Where it stands on the web: relative links of it are completed with it. */
  readonly url?: string;
}

export interface ExtractorWanted {
  readonly text: boolean;
  readonly images: boolean;
  /**
   * Of HTML, what a reader came for, without navigation, advertisements and the like; with links, emphasis and code as
   * Markdown. An extractor that cannot tell gives all of it.
   */
  readonly article?: boolean;
}

export interface ExtractedImage {
  /** As it is named in the document, or made of the place where it stands; not unique. */
  readonly name: string;
  /** Of the bytes. */
  readonly mime_type: string;
  readonly bytes: Uint8Array;
}

export interface Extracted {
  /**
   * Null when it was not wanted; empty when the document holds none, as a scan. Paragraphs stand apart by an empty line,
   * headings, lists and tables are written as Markdown does, rows of sheets with tabs between the cells.
   */
  readonly text: string | null;
  /** Each once, in the order in which they stand; empty when they were not wanted. */
  readonly images: readonly ExtractedImage[];
}

export interface Extractor {
  /** For messages. */
  readonly name: string;
  /** Bytes of a document at the most: larger ones are not even read into memory. */
  readonly maxSize: number;
  /** Whether it reads documents of this media type. */
  supports(mimeType: string): boolean;
  /**
   * Reads a document that nobody trusts: within limits of time, memory and output, and apart from the event loop of the
   * caller. Documents beyond what can be read at once wait for their turn, in order.
   * @throws ExtractError; the reason of the signal once that is aborted
   */
  extract(
    document: ExtractorDocument,
    wanted: ExtractorWanted,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Extracted>;
  /** Stops all that is under way, which ends as `canceled`. */
  close(): Promise<void>;
}

/**
 * - `unsupported`: the media type is none that can be read; the message names those that are.
 * - `not_installed`: reading it takes a package that is not installed; the message names it.
 * - `damaged`: it is not what its media type says, or is broken.
 * - `encrypted`: it cannot be read without a password.
 * - `too_large`: it, or what comes out of it, goes over the limit that `limit` names.
 * - `timeout`: reading it took longer than it may.
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

export interface ExtractErrorDetails {
  readonly limit?: string | undefined;
  readonly cause?: unknown;
}

/** Why a document was not read, in words for the one who gave it. */
export class ExtractError extends Error {
  override readonly name = "ExtractError";
  readonly code: ExtractErrorCode;
  /** With `too_large`: the name of the limit, as it is set. */
  readonly limit: string | undefined;

  constructor(code: ExtractErrorCode, message: string, details: ExtractErrorDetails = {}) {
    super(message, omitUndefined({ cause: details.cause }));
    this.code = code;
    this.limit = details.limit;
  }
}
