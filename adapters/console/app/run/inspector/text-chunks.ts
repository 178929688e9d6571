/** A long text in parts that stand below each other. Pure. */

/** Characters from which a part ends with its line. */
const CHUNK = 4_096;
/** Characters at which a line is broken, where there is none shorter. */
const MAX_CHUNK = 2 * CHUNK;

/** Each part is a block of its own, so that the line break at its end is left out. */
export function chunksOf(text: string): readonly string[] {
  const chunks: string[] = [];
  let from = 0;
  while (text.length - from > MAX_CHUNK) {
    const line = text.indexOf("\n", from + CHUNK);
    if (line >= 0 && line <= from + MAX_CHUNK) {
      chunks.push(text.slice(from, line));
      from = line + 1;
    } else {
      const end = wholeCharacter(text, from + MAX_CHUNK);
      chunks.push(text.slice(from, end));
      from = end;
    }
  }
  chunks.push(text.slice(from));
  return chunks;
}

/** A pair of surrogates is one character. */
const wholeCharacter = (text: string, end: number): number => (/[\uDC00-\uDFFF]/.test(text[end] ?? "") ? end - 1 : end);
