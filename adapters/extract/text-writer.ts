/** Builds text: collapses white space like HTML, separates blocks, and enforces the limit. */

export interface TextWriter {
  /** Adds text. Collapses white space, and removes it at the start and end of a line. */
  text(text: string): void;
  /** Adds text unchanged, including line breaks. */
  verbatim(text: string): void;
  /** Starts a new line (1), or leaves an empty line before the next text (2). */
  gap(lines: 1 | 2): void;
  /** Adds a line break; a second one adds an empty line. */
  lineBreak(): void;
  /** Adds a prefix to the next text on the same line. Dropped if no text follows. */
  prefix(text: string): void;
  /** Discards prefixes that no text has followed. */
  dropPrefix(): void;
  /** Adds a row of cells on a separate line. */
  row(cells: readonly string[], separator: "pipe" | "tab"): void;
  isEmpty(): boolean;
  result(): string;
}

/** The limits of one document, shared by everything that reads and writes its parts. */
export interface Budget {
  /** Counts characters; a negative number returns some. @throws ExtractError if the limit is exceeded. */
  take(characters: number): void;
  /** Counts elements, cells or parts. @throws ExtractError if the limit is exceeded. */
  spend(items: number): void;
}

const SPACE = /[ \t\n\r\f\u200b]+/g;
/**
 * Number of strings to collect before joining them: a million small strings take far more memory than one large string.
 */
const MAX_STRINGS = 4096;

export function createTextWriter(budget: Budget): TextWriter {
  const joined: string[] = [];
  let strings: string[] = [];
  let hasText = false;
  let pending: 0 | 1 | 2 = 0;
  let prefixes = "";
  /** Whether white space follows text on the current line. */
  let isSpaced = false;

  function write(output: string): void {
    budget.take(output.length);
    strings.push(output);
    if (strings.length < MAX_STRINGS) return;
    joined.push(strings.join(""));
    strings = [];
  }

  function open(): void {
    if (hasText && pending > 0) write("\n".repeat(pending));
    else if (hasText && isSpaced) write(" ");
    if (prefixes !== "") write(prefixes);
    hasText = true;
    prefixes = "";
    pending = 0;
    isSpaced = false;
  }

  function gap(lines: 1 | 2): void {
    if (lines > pending) pending = lines;
    isSpaced = false;
  }

  function text(raw: string): void {
    const collapsed = raw.replace(SPACE, " ");
    const starts = collapsed.startsWith(" ") ? 1 : 0;
    const ends = collapsed.length > starts && collapsed.endsWith(" ") ? 1 : 0;
    if (starts === 1) isSpaced = true;
    if (collapsed.length === starts) return;
    open();
    write(collapsed.slice(starts, collapsed.length - ends));
    isSpaced = ends === 1;
  }

  function verbatim(raw: string): void {
    if (raw === "") return;
    open();
    write(raw);
  }

  return {
    text,
    verbatim,
    gap,
    lineBreak: () => gap(pending === 0 ? 1 : 2),
    prefix(raw) {
      prefixes += raw;
    },
    dropPrefix() {
      prefixes = "";
    },
    row(cells, separator) {
      gap(1);
      const flat = cells.map((cell) => cell.replace(/\s+/g, " ").trim());
      if (separator === "tab") verbatim(flat.join("\t"));
      else verbatim(`| ${flat.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
      gap(1);
    },
    isEmpty: () => !hasText,
    result: () => joined.join("") + strings.join(""),
  };
}
