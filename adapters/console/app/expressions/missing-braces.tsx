/** Offers the braces that an expression lacks, below its field. */
import type { JsonValue } from "../../../../src/json.ts";
import { Icon } from "../elements/icons.tsx";
import { useTexts } from "../texts/language.ts";
import { withBraces } from "./bare-expression.ts";
import { useOwnPlace, useVariables } from "./surroundings-context.ts";
import type { EvaluatedPlace } from "./wanted-expressions.ts";

/** @returns The text with braces; null if it lacks none. */
export function useMissingBraces(value: JsonValue | undefined, place: EvaluatedPlace | undefined): string | null {
  const own = useOwnPlace();
  return withBraces(value, useVariables(place ?? own));
}

interface MissingBracesProps {
  readonly id?: string;
  /** The text with braces. */
  readonly text: string;
  readonly onWrite: (text: string) => void;
}

export function MissingBraces({ id, text, onWrite }: MissingBracesProps) {
  const { expressions: texts } = useTexts();
  return (
    <p className="missing-braces">
      <span id={id}>
        <Icon name="warning" /> {texts.noBraces}
      </span>{" "}
      <button type="button" className="link-button" onClick={() => onWrite(text)}>
        {texts.writeBraces} <code>{text}</code>
      </button>
    </p>
  );
}
