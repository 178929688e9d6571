/** Adds literals that the library's lexer lacks: `.5`, `br"\d"`, fields in backticks, and bytes as UTF-8. */
import { type ASTNode, type Environment, ParseError } from "@marcbachmann/cel-js";
import { type Lexer, type LexerClass, replaceLexer } from "./cel-internals.ts";

/** White space, including form feeds, and comments. */
const SKIPPED = /(?:[ \t\n\f\r]|\/\/[^\n]*\n)*(?:\/\/[^\n]*)?/y;
const FRACTION = /\.\d+(?:[eE][+-]?\d+)?/y;
const RAW_BYTES = /[bB][rR](?=["'])/y;
const QUOTED_FIELD = /`([\w.\-/ ]+)`/y;
/** An escape is one byte. Other text is encoded as UTF-8. */
const ESCAPE_OR_TEXT = /\\(?:[0-7]{3}|[xX][0-9a-fA-F]{2}|[\s\S])|[^\\]+/g;

export function readAllLiterals(environment: Environment): void {
  replaceLexer(environment, extendLexer);
}

function extendLexer(Base: LexerClass): LexerClass {
  const sample = new Base();
  const tokenTypeOf = (text: string) => {
    sample.reset(text);
    return sample.nextToken().tokenType;
  };
  const [IDENTIFIER, DOT, QUESTION] = [tokenTypeOf("a"), tokenTypeOf("."), tokenTypeOf("?")];

  return class extends Base {
    override nextToken(): Lexer {
      const before = this.tokenType;
      const begin = this.pos + (this.#match(SKIPPED)?.[0].length ?? 0);
      this.pos = begin;
      switch (this.input[begin]) {
        case ".": {
          const fraction = this.#match(FRACTION);
          if (fraction === null) break;
          this.pos += fraction[0].length;
          return this._parseAsDouble(begin, this.pos);
        }
        case "b":
        case "B":
          if (this.#match(RAW_BYTES) === null) break;
          this.pos += 2;
          return this.readString(this.input[this.pos] ?? "", "br");
        case "`": {
          const field = this.#match(QUOTED_FIELD);
          if (field === null || (before !== DOT && before !== QUESTION)) break;
          this.pos += field[0].length;
          return this.token(begin, IDENTIFIER, field[1]);
        }
      }
      return super.nextToken();
    }

    override _closeQuotedString(start: number, raw: string, prefix: string | undefined, pos: number): Lexer {
      switch (prefix) {
        case "b":
        case "B":
          super._closeQuotedString(start, "", "b", pos);
          this.tokenValue = this.#bytesOf(start, raw);
          return this;
        case "br":
          super._closeQuotedString(start, "", "b", pos);
          this.tokenValue = new TextEncoder().encode(raw);
          return this;
      }
      return super._closeQuotedString(start, raw, prefix, pos);
    }

    #bytesOf(start: number, raw: string): Uint8Array {
      const bytes = [...raw.matchAll(ESCAPE_OR_TEXT)].flatMap(({ 0: part, index }) =>
        part.startsWith("\\")
          ? [this.processEscapes(start + index, part, true).charCodeAt(0)]
          : [...new TextEncoder().encode(part)],
      );
      return Uint8Array.from(bytes);
    }

    #match(pattern: RegExp): RegExpExecArray | null {
      pattern.lastIndex = this.pos;
      return pattern.exec(this.input);
    }
  };
}

const MAX_INT = 2n ** 63n - 1n;

/**
 * @throws ParseError for an integer beyond 64 bits. The smallest integer is a negated literal that is out of range
 * itself.
 */
export function refuseLargeIntegers(nodes: readonly ASTNode[]): void {
  const negated = new Set(nodes.flatMap((node) => (node.op === "-_" ? [node.args] : [])));
  for (const node of nodes) {
    if (node.op !== "value" || typeof node.args !== "bigint" || node.args <= MAX_INT) continue;
    if (negated.has(node) && node.args === MAX_INT + 1n) continue;
    throw new ParseError({
      code: "invalid_integer",
      message: `${node.args} is out of range for a 64-bit integer`,
      node,
    });
  }
}
