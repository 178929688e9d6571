/** A part of the arguments that has fields of its own. An expression can give the whole part. */
import type { ReactNode } from "react";
import type { JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { useTexts } from "../../texts/language.ts";

interface NestedProps {
  readonly label: string;
  readonly onChange: (value: JsonValue) => void;
  /** Whether only its parts can be expressions. @default false */
  readonly isOnlyParts?: boolean;
  readonly children: ReactNode;
}

export function Nested({ label, onChange, isOnlyParts = false, children }: NestedProps) {
  const { steps: texts } = useTexts();
  return (
    <fieldset className="nested" aria-label={label}>
      <div className="row-head">
        <legend>{label}</legend>
        {isOnlyParts ? null : (
          <Button kind="quiet" onClick={() => onChange("{{  }}")}>
            {texts.asExpression}
          </Button>
        )}
      </div>
      {children}
    </fieldset>
  );
}
