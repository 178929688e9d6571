/** SHA-256, synchronous and streaming, which WebCrypto is not. */
export interface Hash {
  /** Hex digest of a short text. */
  sha256(text: string): string;
  /** A digest of bytes as they come. */
  stream(): HashStream;
  /** Whether two texts are the same, in a time that does not tell where they differ. */
  equal(one: string, other: string): boolean;
}

export interface HashStream {
  update(bytes: Uint8Array): void;
  /** Hex; ends the stream. */
  digest(): string;
}
