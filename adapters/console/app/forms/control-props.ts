/** What every control of a form takes. */
import type { Entry, FormValues, ObjectEntry } from "../../../../src/forms/model/entry.ts";
import type { FormModel, ModelField, ObjectShape, Shape } from "../../../../src/forms/model/form-model.ts";
import type { ControlAttributes } from "../elements/fields/field.tsx";

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

export interface ControlOfProps extends ControlProps {
  /** The field that the control is for; null for a row of a list. */
  readonly field: ModelField | null;
}

export interface ObjectFieldsProps {
  readonly shape: ObjectShape;
  readonly entry: ObjectEntry;
  readonly change: Change;
  readonly place: string;
}

export interface FormProps {
  readonly model: FormModel;
  readonly values: FormValues;
  /** Takes an update of the values, as a setter of `useState` does. */
  readonly onChange: Change;
  /** Messages by the places of the controls, of `messagesByPlace`. @default none */
  readonly errors?: ReadonlyMap<string, string>;
  readonly appId: string;
  /** Start of the ids of the controls, for an `ErrorSummary` of the form. @default a new one */
  readonly id?: string;
}

/** Whether several controls belong to the field, so that a label cannot be for one of them. */
export function isGroup(shape: Shape, entry: Entry): boolean {
  if (entry.kind === "raw") return false;
  if (shape.kind === "choice") return shape.look === "radio";
  if (shape.kind === "boolean") return shape.hasThirdState || shape.isAsked === true;
  return ["object", "list", "file", "variants"].includes(shape.kind);
}

/** The text of an entry that has one. */
export const textOf = (entry: Entry): string => (entry.kind === "text" || entry.kind === "raw" ? entry.text : "");

/** Sets a text. */
export const setText = (change: Change, text: string): void => change(() => ({ kind: "text", text }));
