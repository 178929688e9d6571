/** How forms show their fields. */
import * as v from "valibot";
import { strictObject } from "../../schema.ts";

export const Display = strictObject({
  /** Label beside the field (`inline`) or above it (`stacked`). */
  field: v.exactOptional(v.picklist(["inline", "stacked"])),
  /** How a form lays out the element that holds this one: in a grid, in full width, or centered. */
  container: v.exactOptional(v.picklist(["grid", "full", "center"])),
  /** Whether to hide the field. @default false */
  hidden: v.exactOptional(v.boolean()),
});
/** Layout of the fields of a form. */
export interface Display extends v.InferOutput<typeof Display> {}

export const FieldDisplay = strictObject({
  ...Display.entries,
  /**
   * What people fill in: `radio` buttons or a `dropdown` for a field with choices, a text area (`multiline`) for a string.
   * @default `radio` for up to five choices, `dropdown` for more, a single line for text
   */
  control: v.exactOptional(v.picklist(["radio", "dropdown", "multiline"])),
});
/** Layout of a field. */
export interface FieldDisplay extends v.InferOutput<typeof FieldDisplay> {}
