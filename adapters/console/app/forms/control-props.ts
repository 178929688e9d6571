/** What every control of a form takes. */
import type { Entry } from "../../../../src/forms/model/entry.ts";
import type { Shape } from "../../../../src/forms/model/form-model.ts";
import type { ControlAttributes } from "../elements/field.tsx";

/** Changes an entry. The change is computed from what it then is, because uploads end later. */
export type Change = (update: (entry: Entry) => Entry) => void;

export interface ControlProps<Kind extends Shape["kind"] = Shape["kind"]> {
  readonly shape: Extract<Shape, { kind: Kind }>;
  readonly entry: Entry;
  readonly change: Change;
  /** JSON Pointer of the value in the form. */
  readonly place: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly placeholder: string | null;
  /** Of the control, or of the group of controls. */
  readonly attributes: ControlAttributes;
}

/** The text of an entry that has one. */
export const textOf = (entry: Entry): string => (entry.kind === "text" || entry.kind === "raw" ? entry.text : "");

/** Sets a text. */
export const setText = (change: Change, text: string): void => change(() => ({ kind: "text", text }));
