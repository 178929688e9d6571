/** How much room the label of an edge or an exit takes. Texts can't be measured here, so these are estimates. Pure. */
import type { CanvasEdge } from "../canvas-graph.ts";

type Labelled = Pick<CanvasEdge, "label">;

/** Width and height of a "+". */
export const BUTTON = 24;
const CHAR = 6.6;
const LINE = 16;
const GAP = 2;
/** Of the words for `else` and errors, in the language of the page. */
const WORDS = 12;

export function labelWidth({ label }: Labelled): number {
  if (label === null) return 0;
  const name = label.text === "" ? WORDS : label.text.length + 4;
  return Math.ceil(Math.max(name, label.condition.length) * CHAR);
}

/** With its "+". */
export function labelHeight({ label }: Labelled): number {
  if (label === null) return BUTTON;
  return BUTTON + GAP + LINE * (label.condition === "" ? 1 : 2);
}
