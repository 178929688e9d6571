/** Parses texts that contain `{{ expression }}`. Pure. */

/** A part of a template: literal text, or an expression and its start index. */
export type Part = string | { readonly expression: string; readonly at: number };

/** A text is not a valid template. */
export class TemplateProblem extends Error {
  override readonly name = "TemplateProblem";

  /** Index at which it is invalid. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

export function hasTemplate(text: string): boolean {
  return text.includes("{{");
}

/** @throws TemplateProblem for `{{` without a closing `}}`. */
export function parseTemplate(text: string): Part[] {
  const parts: Part[] = [];
  let position = 0;
  for (let open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", position)) {
    const close = endOf(text, open + 2);
    if (close < 0) throw new TemplateProblem(`"{{" at position ${open + 1} has no closing "}}".`, open);
    if (open > position) parts.push(text.slice(position, open));
    parts.push({ expression: text.slice(open + 2, close), at: open + 2 });
    position = close + 2;
  }
  if (position < text.length) parts.push(text.slice(position));
  return parts;
}

/** Returns the index of the closing `}}`, skipping strings and braces within the expression. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (character === '"' || character === "'") index = endOfString(text, index, character);
    else if (character === "{") depth++;
    else if (character === "}" && depth > 0) depth--;
    else if (character === "}" && text[index + 1] === "}") return index;
  }
  return -1;
}

/** Returns the index of the last character of a CEL string: plain, raw or triple-quoted. */
function endOfString(text: string, start: number, quote: string): number {
  const isRaw = /[rR][bB]?$/.test(text.slice(Math.max(0, start - 2), start));
  const fence = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  for (let index = start + fence.length; index < text.length; index++) {
    if (!isRaw && text[index] === "\\") index++;
    else if (text.startsWith(fence, index)) return index + fence.length - 1;
  }
  return text.length;
}
