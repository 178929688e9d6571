/** Synchronous and streaming hashes, which WebCrypto lacks. */
import type { LentFile } from "./driver.ts";

/** Stepwell uses SHA-256. The others verify checksums that clients send. */
export type DigestAlgorithm = "sha256" | "sha1" | "md5";

export interface Hash {
  /** Hexadecimal digest of a short text. */
  sha256(text: string): string;
  /** Hexadecimal HMAC-SHA256 of a short text (RFC 2104). */
  hmac(key: string, text: string): string;
  /** Creates a streaming digest. @param algorithm Default: `sha256`. */
  stream(algorithm?: DigestAlgorithm): HashStream;
  /** Creates a SHA-256 digest of large blocks, which may be computed on another thread. */
  blocks(): BlockHash;
  /** Compares two strings in constant time. */
  equal(one: string, other: string): boolean;
}

export interface HashStream {
  update(bytes: Uint8Array): void;
  /** Hexadecimal digest. Ends the stream. */
  digest(): string;
}

/** Bytes that nobody else uses, with a buffer of their own. */
export type Block = Uint8Array<ArrayBuffer>;

export interface BlockHash {
  /**
   * Adds the next block. It need not be awaited before the next call. Takes over the block and its whole buffer, and returns
   * the same bytes, perhaps in another buffer of the same size.
   * @param file Where the block is also written. Only if {@link writesFiles}.
   * @throws StepwellError `unavailable` if the digest is lost, or the error of the system if the file cannot be written
   */
  add(block: Block, file?: LentFile): Block | Promise<Block>;
  /** Whether `add` can write to a file. Once it can, it can for all further blocks. */
  readonly writesFiles: boolean;
  /** Hexadecimal digest. Ends the hash. @throws StepwellError `unavailable` if the digest is lost */
  digest(): string | Promise<string>;
  /** Ends the hash without a digest. May be called at any time, and repeatedly. */
  discard(): void;
  /** Whether the digest is lost, so that all bytes have to be added to another one. */
  readonly isLost: boolean;
}
