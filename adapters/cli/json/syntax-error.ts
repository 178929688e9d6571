/** Finds where a text stops being JSON: the errors of `JSON.parse` name the place on some runtimes only. */

const SPACE = /[ \t\r\n]*/y;
const SCALAR =
  /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const NAME = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"[ \t\r\n]*:/uy;

/** The offset of the first character that cannot be part of a JSON text; its length if the text ends early. */
export function syntaxErrorAt(text: string): number {
  /** The closing characters of open objects and lists. */
  const open: string[] = [];
  let at = 0;
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return false;
    at += found[0].length;
    return true;
  };
  /** Whether the next token must be a value (or its name, in an object), or a comma or end. */
  let expects: "value" | "first" | "next" = "value";
  for (;;) {
    match(SPACE);
    const char = text[at];
    const end = open.at(-1);
    if (expects === "next") {
      if (char !== "," && char !== end) return at;
      if (end === undefined) return at;
      at++;
      if (char === ",") expects = "value";
      else open.pop();
      continue;
    }
    if (expects === "first" && char === end) {
      at++;
      open.pop();
      expects = "next";
      continue;
    }
    if (end === "}") {
      if (!match(NAME)) return at;
      match(SPACE);
    }
    const first = text[at];
    if (first === "{" || first === "[") {
      at++;
      open.push(first === "{" ? "}" : "]");
      expects = "first";
    } else if (match(SCALAR)) {
      expects = "next";
    } else {
      return at;
    }
  }
}
