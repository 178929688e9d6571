/** Which texts of a step are an expression as a whole, without braces. Pure. */

/** Fields of which it is said by their name, wherever they stand in a step. */
const NAMES: ReadonlySet<string> = new Set(["conditional", "loop", "condition"]);

/** @param name Name of the field that the text stands in. */
export const isWholeExpression = (text: string, name: string | undefined): boolean =>
  name !== undefined &&
  // The items of `for_each` may have braces, or be an expression.
  (NAMES.has(name) || (name === "items" && !text.includes("{{")));
