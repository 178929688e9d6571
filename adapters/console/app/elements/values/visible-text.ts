/** Characters that nobody sees, as signs that everybody sees, where data is looked at. Pure. */

/** What turns the direction of text, and what has no width. They can make one text look like another. */
const INVISIBLE = /[\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

const codeOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(4, "0");

export const hasInvisible = (text: string): boolean => text.search(INVISIBLE) !== -1;

/** JSON with escapes for what cannot be seen: the same value. */
export const visibleJson = (json: string): string => json.replace(INVISIBLE, (sign) => `\\u${codeOf(sign)}`);

/** Text with signs such as `⟨U+202E⟩` for what cannot be seen. */
export const visibleText = (text: string): string =>
  text.replace(INVISIBLE, (sign) => `⟨U+${codeOf(sign).toUpperCase()}⟩`);

/** Spaces, signs without a width, and letters that are drawn as nothing (Hangul fillers). */
const BLANK = /^[\s\p{C}\u115f\u1160\u3164\uffa0]*$/u;

/** A name, or what stands for one of which nothing would be seen. */
export const nameOr = (name: string, instead: string): string => (BLANK.test(name) ? instead : name);
