/** Collects the body of a request. */
import { StepwellError } from "../errors.ts";
import { concatBytes } from "./bytes.ts";

/** @throws StepwellError `too_large` */
export async function collectBody(source: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > limit) {
      throw new StepwellError("too_large", `The body exceeds the limit of ${limit} bytes.`);
    }
    pieces.push(piece.slice());
  }
  return concatBytes(pieces);
}
