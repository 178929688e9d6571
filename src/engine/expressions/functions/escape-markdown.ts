/** Text that Markdown shows as it is, so that a value cannot add links or headings. Pure. */

/** Any ASCII punctuation can be escaped (CommonMark 0.31 §2.4). That also stops bare URLs from becoming links. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** Spaces after a line break could begin a code block. */
const LINE_BREAK = /[ \t]*(\r\n?|\n)\s*/g;

export function escapeMarkdown(text: string): string {
  return text.trim().replace(PUNCTUATION, "\\$&").replace(LINE_BREAK, "\\\n");
}
