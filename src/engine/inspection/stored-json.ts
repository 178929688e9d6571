/**
 * Finds values in JSON text without parsing it. The text is what `JSON.stringify` writes. A long text is scanned in parts, between
 * which a scan yields. Pure.
 */

/** A scan that yields between parts of a text. */
export type Scan<Result> = Generator<undefined, Result>;

/** A value within a text. */
export interface Span {
  readonly start: number;
  /** The index behind it. */
  readonly end: number;
}

/** Characters between two yields: about a millisecond. */
const PART_CHARS = 131_072;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);
const isOpening = (code: number) => code === 0x5b || code === 0x7b; // [ and {
const isClosing = (code: number) => code === 0x5d || code === 0x7d; // ] and }

interface Position {
  at: number;
  depth: number;
  isInString: boolean;
}

/** Returns the index behind the value that starts at an index. */
function* endOfValue(text: string, start: number): Scan<number> {
  if (!'"[{'.includes(text.charAt(start))) return endOfScalar(text, start);
  const position: Position = { at: start, depth: 0, isInString: false };
  while (!advance(text, position, position.at + PART_CHARS)) {
    if (position.at >= text.length) throw new SyntaxError("The JSON text ends within a value.");
    yield;
  }
  return position.at;
}

/** Goes on to an index, or to the end of the value. Returns whether that was reached. */
function advance(text: string, position: Position, until: number): boolean {
  let { at, depth, isInString } = position;
  const stop = Math.min(until, text.length);
  let hasEnded = false;
  while (at < stop && !hasEnded) {
    const code = text.charCodeAt(at++);
    if (isInString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) {
        isInString = false;
        hasEnded = depth === 0;
      }
    } else if (code === QUOTE) isInString = true;
    else if (isOpening(code)) depth++;
    else if (isClosing(code)) hasEnded = --depth === 0;
  }
  Object.assign(position, { at, depth, isInString });
  return hasEnded;
}

/** Numbers, and words such as `true`. */
function endOfScalar(text: string, start: number): number {
  let end = start;
  while (end < text.length && !",]}".includes(text.charAt(end))) end++;
  return end;
}

/**
 * Visits the items of a list, or the names and values of an object in turn, until the visitor returns true.
 * @param start Index of the bracket.
 */
function* walk(text: string, start: number, visit: (item: Span, index: number) => boolean): Scan<void> {
  let yielded = start;
  let at = start + 1;
  if (isClosing(text.charCodeAt(at))) return;
  for (let index = 0; ; index++) {
    const end = yield* endOfValue(text, at);
    if (visit({ start: at, end }, index) || isClosing(text.charCodeAt(end))) return;
    if (end - yielded >= PART_CHARS) {
      yielded = end;
      yield;
    }
    at = end + 1; // behind a comma, or the colon of a name
  }
}

/** Finds the fields of an object. */
export function* fieldsOf(text: string, start: number): Scan<ReadonlyMap<string, Span>> {
  const fields = new Map<string, Span>();
  let name = "";
  yield* walk(text, start, (span, index) => {
    if (index % 2 === 0) name = JSON.parse(text.slice(span.start, span.end));
    else fields.set(name, span);
    return false;
  });
  return fields;
}

/** Finds an item of a list. Undefined if the list is shorter. */
export function* itemOf(text: string, start: number, wanted: number): Scan<Span | undefined> {
  let found: Span | undefined;
  yield* walk(text, start, (span, index) => {
    if (index === wanted) found = span;
    return found !== undefined;
  });
  return found;
}

/** Finds the value of a pair `[index, value]` in a list of pairs. */
export function* valueOfPair(text: string, start: number, wanted: number): Scan<Span | undefined> {
  let found: Span | undefined;
  yield* walk(text, start, (pair) => {
    const key = { start: pair.start + 1, end: endOfScalar(text, pair.start + 1) };
    if (Number(text.slice(key.start, key.end)) === wanted) found = { start: key.end + 1, end: pair.end - 1 };
    return found !== undefined;
  });
  return found;
}

/** Parses the items of a list, one after the other. */
export function* parsedItems<Item>(text: string, start: number): Scan<Item[]> {
  const items: Item[] = [];
  yield* walk(text, start, (span) => {
    items.push(JSON.parse(text.slice(span.start, span.end)));
    return false;
  });
  return items;
}
