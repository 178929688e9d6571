/** Trims characters in one pass. A pattern such as `/\/+$/` takes quadratic time on long runs. */

/** @param characters The characters to remove. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Like {@link trimEnd}, at both ends. */
export function trimEnds(text: string, characters: string): string {
  const trimmed = trimEnd(text, characters);
  let start = 0;
  while (start < trimmed.length && characters.includes(trimmed.charAt(start))) start++;
  return trimmed.slice(start);
}
