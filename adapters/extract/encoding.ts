/** Decodes the text of a document. */
import { decodeText } from "../../src/encoding/decode-text.ts";
import { ExtractError } from "../../src/ports/extractor.ts";

/** @throws ExtractError `damaged` */
export function decoded(bytes: Uint8Array, mimeType: string): string {
  const text = decodeText(bytes, mimeType);
  if (text !== null) return text;
  throw new ExtractError("damaged", "it is binary, or text in an undeclared encoding");
}
