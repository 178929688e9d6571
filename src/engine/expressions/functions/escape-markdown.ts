/** Text that Markdown shows as it is, so that a value cannot add links or headings. Pure. */

/** Any ASCII punctuation can be escaped (CommonMark 0.31 §2.4). That also stops bare URLs from becoming links. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

export function escapeMarkdown(text: string): string {
  // Without the spaces at their starts, which could begin a code block. Blank lines would begin a paragraph.
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  const shown = lines.filter((line) => line !== "").map((line) => line.replace(PUNCTUATION, "\\$&"));
  return shown.join("\\\n");
}
