/** The tokens of CEL, and of texts with `{{ expressions }}`, for their colours. The engine's parser says what is wrong. */
import type { StreamParser, StringStream } from "@codemirror/language";

const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

interface CelState {
  /** The quotes that end the open string, or null. */
  quote: string | null;
  /** Whether backslashes of the open string stand for themselves. */
  isRaw: boolean;
  /** Whether a dot stands before: a name is that of a field. */
  isField: boolean;
}

const startState = (): CelState => ({ quote: null, isRaw: false, isField: false });

export const celMode: StreamParser<CelState> = {
  name: "cel",
  startState,
  token: (stream, state) => celToken(stream, state),
};

function celToken(stream: StringStream, state: CelState): string | null {
  if (state.quote !== null) return readString(stream, state, state.quote);
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  const opening = stream.match(/^([rR]?[bB]?[rR]?)("""|'''|"|')/);
  if (opening !== null && typeof opening === "object") {
    state.quote = opening[2] ?? '"';
    state.isRaw = /[rR]/.test(opening[1] ?? "");
    state.isField = false;
    return readString(stream, state, state.quote);
  }
  if (stream.match(/^(?:0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)u?/)) {
    state.isField = false;
    return "number";
  }
  if (stream.match(/^[A-Za-z_]\w*/)) return nameToken(stream, state);
  const character = stream.next() ?? "";
  state.isField = character === "." || (character === "?" && state.isField);
  if (/[()[\]{},.:]/.test(character)) return "punctuation";
  return "operator";
}

function nameToken(stream: StringStream, state: CelState): string {
  const { isField } = state;
  state.isField = false;
  if (!isField && KEYWORDS.has(stream.current())) return "keyword";
  if (/^\s*\(/.test(stream.string.slice(stream.pos))) return "variableName.function";
  return isField ? "propertyName" : "variableName";
}

/** To the end of the string or of the line. Only strings in three quotes go on in the next line. */
function readString(stream: StringStream, state: CelState, quote: string): string {
  while (!stream.eol()) {
    if (stream.match(quote)) {
      state.quote = null;
      return "string";
    }
    if (stream.next() === "\\" && !state.isRaw) stream.next();
  }
  if (quote.length === 1) state.quote = null;
  return "string";
}

interface TemplateState extends CelState {
  /** Braces that are open within an expression; null outside of it. */
  depth: number | null;
}

export const templateMode: StreamParser<TemplateState> = {
  name: "template",
  startState: () => ({ ...startState(), depth: null }),
  token(stream, state) {
    if (state.depth === null) return readText(stream, state);
    if (state.quote === null && state.depth === 0 && stream.match("}}")) {
      state.depth = null;
      return "brace";
    }
    const token = celToken(stream, state);
    if (token === "punctuation") {
      if (stream.current() === "{") state.depth++;
      if (stream.current() === "}") state.depth = Math.max(0, state.depth - 1);
    }
    return token;
  },
};

function readText(stream: StringStream, state: TemplateState): string | null {
  if (stream.match("{{")) {
    state.depth = 0;
    return "brace";
  }
  const open = stream.string.indexOf("{{", stream.pos);
  if (open < 0) stream.skipToEnd();
  else stream.pos = open;
  return null;
}
