/** Takes a character off the ends of a text, in one pass: a pattern such as `/\/+$/` looks at each run anew. */

/** @param characters Each of these is taken off. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** As {@link trimEnd}, at both ends. */
export function trimEnds(text: string, characters: string): string {
  const kept = trimEnd(text, characters);
  let start = 0;
  while (start < kept.length && characters.includes(kept.charAt(start))) start++;
  return kept.slice(start);
}
