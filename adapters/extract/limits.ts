/** Limits for extracting one document, and the errors when it exceeds them. */
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { ExtractError } from "../../src/ports/extractor.ts";

/** Limits of the extraction of one document. */
export interface ExtractorLimits {
  /** Timeout of a document in milliseconds. Default: 30,000. */
  readonly timeoutMs: number;
  /**
   * Maximum memory per document in bytes, for the heap and again for typed arrays. The heap is only limited where the
   * runtime supports this for threads: Node.js. Default: 256 MiB.
   */
  readonly memoryBytes: number;
  /** Maximum size of the document in bytes. Default: 50 MiB. */
  readonly fileBytes: number;
  /** Maximum unpacked size in bytes of a document that is a ZIP archive (Office and OpenDocument). Default: 200 MiB. */
  readonly unpackedBytes: number;
  /** Maximum length of the text in characters. Default: 10,485,760. */
  readonly textCharacters: number;
  /**
   * Maximum number of items: XML and HTML elements, pieces of text and annotations in PDF, and table cells, including
   * repeated and skipped ones. An archive entry counts as {@link ENTRY_COST} items. Reading a part of an archive or
   * e-mail counts as {@link PART_COST}. Default: 10,485,760.
   */
  readonly items: number;
  /** Maximum number of images. Default: 200. */
  readonly images: number;
  /** Maximum total size of all images in bytes. Default: 64 MiB. */
  readonly imageBytes: number;
}

/** Cost of opening a part, in items. It takes about as long as reading this many elements. */
export const PART_COST = 100;
/** Cost of an entry in an archive's directory, in items. Each entry takes about 7 KiB of memory. */
export const ENTRY_COST = 500;

const DEFAULT_LIMITS: ExtractorLimits = {
  timeoutMs: 30_000,
  memoryBytes: 256 * MEBIBYTE,
  fileBytes: 50 * MEBIBYTE,
  unpackedBytes: 200 * MEBIBYTE,
  textCharacters: 10 * MEBIBYTE,
  items: 10 * MEBIBYTE,
  images: 200,
  imageBytes: 64 * MEBIBYTE,
};

/** @throws TypeError if a limit is unknown or not a positive number. */
export function limitsOf(options: Partial<ExtractorLimits>): ExtractorLimits {
  const limits = { ...DEFAULT_LIMITS, ...options };
  for (const [name, limit] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      const available = ["threads", ...Object.keys(DEFAULT_LIMITS)].join(", ");
      throw new TypeError(`${name} is not an option of the extractor. Available: ${available}.`);
    }
    if (!(typeof limit === "number" && limit > 0))
      throw new TypeError(`${name} must be a positive number, not ${limit}.`);
  }
  return limits;
}

const MESSAGES: Readonly<Record<keyof ExtractorLimits, (limit: string) => string>> = {
  timeoutMs: (limit) => `reading it took longer than the limit of ${limit} ms`,
  memoryBytes: (limit) => `reading it exceeded the memory limit of ${limit} bytes`,
  fileBytes: (limit) => `it has more than ${limit} bytes`,
  unpackedBytes: (limit) => `it has more than ${limit} bytes when unpacked`,
  textCharacters: (limit) => `it has more than ${limit} characters of text`,
  items: (limit) => `it has more than ${limit} elements, cells and parts`,
  images: (limit) => `it has more than ${limit} images`,
  imageBytes: (limit) => `its images have more than ${limit} bytes`,
};

export function overLimit(limit: keyof ExtractorLimits, limits: ExtractorLimits): ExtractError {
  const message = MESSAGES[limit](limits[limit].toLocaleString("en-US"));
  return new ExtractError(limit === "timeoutMs" ? "timeout" : "too_large", message, { limit });
}
