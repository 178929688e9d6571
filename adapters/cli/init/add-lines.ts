/** Adds the lines that a file lacks, such as a `.gitignore` that exists. Pure. */

export function addLines(before: string, lines: string): string {
  const known = new Set(before.split("\n").map(patternOf));
  const missing = lines.split("\n").filter((line) => line !== "" && !known.has(patternOf(line)));
  if (missing.length === 0) return before;
  const end = before.includes("\r\n") ? "\r\n" : "\n";
  const gap = before === "" || before.endsWith("\n") ? "" : end;
  return before + gap + missing.map((line) => line + end).join("");
}

/** `/.stepwell`, `.stepwell` and `.stepwell/` ignore the same folder at the root of a project. */
const patternOf = (line: string) => line.trim().replace(/^\//, "").replace(/\/$/, "");
