/** Puts text together: collapses white space as HTML does, keeps blocks apart, and stops at the limit. */

export interface TextWriter {
  /** Running text: white space of any length is one space, and none where a line starts or ends. */
  text(text: string): void;
  /** Text as it stands, line breaks included. */
  verbatim(text: string): void;
  /** What comes next starts on a new line: at once (1), or after an empty one (2). */
  gap(lines: 1 | 2): void;
  /** One line break, and with the second an empty line. */
  lineBreak(): void;
  /** Stands before the next text, on its line; left out if there is none. */
  prefix(text: string): void;
  /** There is no text for the prefixes that were given since the last. */
  dropPrefix(): void;
  /** A row of cells on a line of its own. */
  row(cells: readonly string[], separator: "pipe" | "tab"): void;
  isEmpty(): boolean;
  result(): string;
}

/** What one document may take, shared by all that read and write parts of it. */
export interface Budget {
  /** Less than none gives back. @throws ExtractError when there is no room for so many characters more */
  take(characters: number): void;
  /** @throws ExtractError when so many elements, cells or parts more are too many */
  spend(items: number): void;
}

const SPACE = /[ \t\n\r\f\u200b]+/g;
/** How many pieces are kept before they are joined: a million small strings take far more than one large. */
const PIECES = 4096;

export function createTextWriter(budget: Budget): TextWriter {
  const joined: string[] = [];
  let pieces: string[] = [];
  let hasText = false;
  let pending: 0 | 1 | 2 = 0;
  let prefixes = "";
  /** White space was met behind text of the same line. */
  let isSpaced = false;

  function put(piece: string): void {
    budget.take(piece.length);
    pieces.push(piece);
    if (pieces.length < PIECES) return;
    joined.push(pieces.join(""));
    pieces = [];
  }

  function open(): void {
    if (hasText && pending > 0) put("\n".repeat(pending));
    else if (hasText && isSpaced) put(" ");
    if (prefixes !== "") put(prefixes);
    hasText = true;
    prefixes = "";
    pending = 0;
    isSpaced = false;
  }

  function gap(lines: 1 | 2): void {
    if (lines > pending) pending = lines;
    isSpaced = false;
  }

  function text(given: string): void {
    const collapsed = given.replace(SPACE, " ");
    const starts = collapsed.startsWith(" ") ? 1 : 0;
    const ends = collapsed.length > starts && collapsed.endsWith(" ") ? 1 : 0;
    if (starts === 1) isSpaced = true;
    if (collapsed.length === starts) return;
    open();
    put(collapsed.slice(starts, collapsed.length - ends));
    isSpaced = ends === 1;
  }

  function verbatim(given: string): void {
    if (given === "") return;
    open();
    put(given);
  }

  return {
    text,
    verbatim,
    gap,
    lineBreak: () => gap(pending === 0 ? 1 : 2),
    prefix(given) {
      prefixes += given;
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
    result: () => joined.join("") + pieces.join(""),
  };
}
