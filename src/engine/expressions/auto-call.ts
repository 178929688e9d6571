/** Calls of `auto()`, whose values a model fills in. They are no part of the language. Pure. */

const AUTO = /^\s*auto\s*\(([\s\S]*)\)\s*$/;

/** An expression that describes what the model is asked for, and its index in the text. */
export interface AutoDescription {
  readonly expression: string;
  readonly at: number;
}

/** Returns undefined for any other expression. */
export function autoDescription(text: string): AutoDescription | undefined {
  const expression = AUTO.exec(text)?.[1];
  return expression === undefined ? undefined : { expression, at: text.indexOf("(") + 1 };
}
