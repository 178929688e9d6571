/** How much one document may take, and what is said of one that takes more. */
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { ExtractError } from "../../src/ports/extractor.ts";

export interface ExtractorLimits {
  /** Milliseconds for one document. Default: 30,000. */
  readonly timeoutMs: number;
  /**
   * Bytes of memory for one document: of the heap, and as many again of byte arrays. The heap is only limited where the
   * runtime can limit that of a thread: Node. Default: 256 MiB.
   */
  readonly memoryBytes: number;
  /** Bytes of the document. Default: 50 MiB. */
  readonly fileBytes: number;
  /** Bytes of all parts of a document that is a zip archive (Office and OpenDocument), unpacked. Default: 200 MiB. */
  readonly unpackedBytes: number;
  /** Characters of the text. Default: 10 Mi. */
  readonly textCharacters: number;
  /**
   * How much is read: elements of XML and HTML, pieces of text and annotations of PDF, cells of tables with those that are
   * repeated or left out before others, {@link ENTRY_COST} for each entry that an archive lists, and {@link PART_COST} for
   * each part of an archive or a mail that is read. Default: 10 Mi.
   */
  readonly items: number;
  /** How many images. Default: 200. */
  readonly images: number;
  /** Bytes of all images together. Default: 64 MiB. */
  readonly imageBytes: number;
}

/** What opening a part counts, in items: it takes about as long as so many elements. */
export const PART_COST = 100;
/** What an entry in the list of an archive counts, in items: the list holds some 7 KiB of memory for each. */
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

/** @throws TypeError for a limit that is no positive number */
export function limitsOf(given: Partial<ExtractorLimits>): ExtractorLimits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, most] of Object.entries(limits)) {
    if (!(typeof most === "number" && most > 0)) throw new TypeError(`${name} must be a positive number, not ${most}.`);
  }
  return limits;
}

const WORDS: Readonly<Record<keyof ExtractorLimits, (most: string) => string>> = {
  timeoutMs: (most) => `reading it takes longer than ${most} ms`,
  memoryBytes: (most) => `reading it needs more than ${most} bytes of memory`,
  fileBytes: (most) => `it has more than ${most} bytes`,
  unpackedBytes: (most) => `it has more than ${most} bytes when unpacked`,
  textCharacters: (most) => `it has more than ${most} characters of text`,
  items: (most) => `it has more than ${most} elements, cells and parts`,
  images: (most) => `it has more than ${most} images`,
  imageBytes: (most) => `its images have more than ${most} bytes`,
};

export function overLimit(limit: keyof ExtractorLimits, limits: ExtractorLimits): ExtractError {
  const words = WORDS[limit](limits[limit].toLocaleString("en-US"));
  return new ExtractError(limit === "timeoutMs" ? "timeout" : "too_large", words, { limit });
}
