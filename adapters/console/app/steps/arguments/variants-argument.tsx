/** An argument that has one of several forms: which one, and its control. */
import { type ReactNode, useId, useState } from "react";
import type { Shape, VariantsShape } from "../../../../../src/forms/model/form-model.ts";
import type { JsonValue } from "../../../../../src/json.ts";
import { FieldNote, type FieldProblem, isError } from "../../elements/fields/field-note.tsx";
import { useNotation } from "../../forms/use-notation.ts";
import { variantNames } from "../../forms/variant-names.ts";
import { useTexts } from "../../texts/language.ts";
import { isScalar, shownVariant, switchedValue } from "./argument-values.ts";
import { Nested } from "./nested.tsx";

interface VariantsArgumentProps {
  readonly label: string;
  readonly hint: string | null;
  readonly shape: VariantsShape;
  readonly isOptional: boolean;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
  readonly error: FieldProblem | null;
  /** Whether the whole value can be an expression. */
  readonly takesExpression: boolean;
  /** The control of the chosen variant. */
  readonly children: (shape: Shape, name: string) => ReactNode;
}

export function VariantsArgument(props: VariantsArgumentProps) {
  const { label, hint, shape, isOptional, value, onChange, error, takesExpression, children } = props;
  const { steps: texts, forms } = useTexts();
  const notation = useNotation();
  const id = useId();
  const [wanted, setWanted] = useState<number | null>(null);
  const chosen = shownVariant(shape, value, wanted, notation);
  const names = variantNames(shape.variants, forms.kinds);
  const variant = chosen === null ? undefined : shape.variants[chosen];
  const hasScalar = shape.variants.some((one) => isScalar(one.shape));
  const choose = (next: number | null) => {
    setWanted(next);
    onChange(next === null ? undefined : switchedValue(shape, value, next));
  };
  return (
    // Of a single value, its own field has the switch to an expression.
    <Nested label={label} onChange={onChange} isOnlyParts={!takesExpression || hasScalar}>
      {hint === null ? null : <div className="hint">{hint}</div>}
      <select
        aria-label={forms.kindOf(label)}
        aria-describedby={error === null ? undefined : id}
        aria-invalid={isError(error)}
        value={chosen === null ? "" : String(chosen)}
        onChange={({ target }) => choose(target.value === "" ? null : Number(target.value))}
      >
        {chosen === null || isOptional ? <option value="">{texts.none}</option> : null}
        {names.map((name, position) => (
          <option key={name} value={String(position)}>
            {name}
          </option>
        ))}
      </select>
      {variant === undefined || variant.desc === null ? null : <div className="hint">{variant.desc}</div>}
      {variant === undefined || chosen === null ? null : children(variant.shape, names[chosen] ?? label)}
      <FieldNote id={id} problem={error} />
    </Nested>
  );
}
