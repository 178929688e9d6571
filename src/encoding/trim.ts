/** Trims characters in one pass. A pattern such as `/\/+$/` takes quadratic time on long runs. */

/** @param characters The characters to remove. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Like {@link trimEnd}, at both ends. */
export function trimEnds(text: string, characters: string): string {
  const kept = trimEnd(text, characters);
  let start = 0;
  while (start < kept.length && characters.includes(kept.charAt(start))) start++;
  return kept.slice(start);
}
