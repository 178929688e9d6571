/** The text of Markdown without its marks, where there is no room for its looks. Pure. */

/** What stands at the start of a line, and what is left of it. */
const LINE_MARKS: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}(?:```|~~~).*$/gm, ""],
  [/^ {0,3}#{1,6} +/gm, ""],
  [/^ {0,3}> ?/gm, ""],
  [/^( *)[-*+] +/gm, "$1• "],
];

/** What stands around words. Marks beside spaces are none, such as those of `2 * 3 * 4`. */
const WORD_MARKS: readonly (readonly [RegExp, string])[] = [
  [/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1"],
  [/(?<!\\)\*\*(?!\s)([^*]+)(?<![\s\\])\*\*/g, "$1"],
  [/(?<!\\)\*(?!\s)([^*]+)(?<![\s\\])\*/g, "$1"],
  [/(?<![\w\\])_{2}(?!\s)([^_]+)(?<![\s\\])_{2}(?!\w)/g, "$1"],
  [/(?<![\w\\])_(?!\s)([^_]+)(?<![\s\\])_(?!\w)/g, "$1"],
  [/~~(?!\s)([^~]+)(?<!\s)~~/g, "$1"],
  [/\\([\\`*_{}[\]()#+.!>~-])/g, "$1"],
];

export function plainText(markdown: string): string {
  const lines = without(markdown, LINE_MARKS);
  // What is code has no other marks in it.
  return lines
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 0 ? without(part, WORD_MARKS) : part))
    .join("");
}

const without = (text: string, marks: readonly (readonly [RegExp, string])[]) =>
  marks.reduce((left, [mark, rest]) => left.replace(mark, rest), text);
