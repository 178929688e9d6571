/** What a run was given, in a line: it tells entries of the same step apart. */
import type { InputPreview } from "../../../../src/forms/waiting-input.ts";
import { visibleText } from "../elements/values/visible-text.ts";
import { useNotation } from "../forms/use-notation.ts";
import { useTexts } from "../texts/language.ts";
import "./given-values.css";

export function GivenValues({ values }: { readonly values: readonly InputPreview[] }) {
  const { general } = useTexts();
  const notation = useNotation();
  if (values.length === 0) return null;
  const textOf = ({ value }: InputPreview): string => {
    if (typeof value === "boolean") return value ? general.yes : general.no;
    return typeof value === "number" ? notation.formatNumber(value) : value;
  };
  return (
    <span className="given-values">
      {values.map((one) => (
        <span key={one.name}>
          <bdi>
            {visibleText(one.label)}: <bdi>{visibleText(textOf(one))}</bdi>
          </bdi>
        </span>
      ))}
    </span>
  );
}
