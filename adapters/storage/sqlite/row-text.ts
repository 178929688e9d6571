/** Texts of rows, as SQLite can compare them. */

/**
 * Marks may contain what is no UTF-8: half of a surrogate pair. Such marks stay different from each other as JSON.
 * Others look as they are, but for quotes and backslashes.
 */
export function storedMark(mark: string): string {
  return JSON.stringify(mark).slice(1, -1);
}

/** The mark of {@link storedMark}. */
export function givenMark(stored: string): string {
  return String(JSON.parse(`"${stored}"`));
}

/** Functions of SQLite end a text at a NUL. A search treats it as any other character that is no text. */
export function storedText(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
