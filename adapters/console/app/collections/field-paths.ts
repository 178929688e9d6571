/** Lists of fields as texts: one `entity:field` on each line, or separated by commas. */

export const linesOf = (text: string): string[] =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));

export const partsOf = (text: string): string[] =>
  text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
