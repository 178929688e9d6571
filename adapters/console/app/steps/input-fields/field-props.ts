/** What the parts of the builder of input fields get. */
import { type ComponentType, createContext } from "react";
import type { InputDefinition, InputField } from "../../../../../src/workflows/input/input-field.ts";
import type { FieldProblem } from "../../elements/fields/field-note.tsx";

export interface FieldBuilderProps {
  readonly label: string;
  readonly definition: InputDefinition;
  readonly onChange: (definition: InputDefinition) => void;
  /** Pointer of the definition within the step. */
  readonly at: string;
  readonly problemAt: (pointer: string) => FieldProblem | null;
  /** The expression of the object that has the fields, such as `input`. */
  readonly readAs: string;
}

export interface FieldProps<One extends InputField = InputField> {
  readonly field: One;
  readonly onChange: (field: One) => void;
  readonly at: string;
  readonly problemAt: (pointer: string) => FieldProblem | null;
  /** The expression of a value of the field, such as `input.amount`. */
  readonly readAs: string;
}

/** Builds the fields within a field: the builder itself, which a part of it cannot import. */
export const NestedFields = createContext<ComponentType<FieldBuilderProps> | null>(null);
