/** Chooses one of the ways from a step. */
import { Field } from "../../elements/fields/field.tsx";
import { useTexts } from "../../texts/language.ts";
import { NEXT, type Way, wayId } from "../draft/ways.ts";
import { nameOfWay } from "../panel/step-connections.tsx";

interface WayFieldProps {
  readonly ways: readonly Way[];
  readonly chosen: Way;
  readonly onChoose: (way: Way) => void;
}

export function WayField({ ways, chosen, onChoose }: WayFieldProps) {
  const { editor: texts } = useTexts();
  return (
    <Field label={texts.connectWay}>
      {(attributes) => (
        <select
          {...attributes}
          value={wayId(chosen)}
          onChange={({ target }) => onChoose(ways.find((way) => wayId(way) === target.value) ?? NEXT)}
        >
          {ways.map((way) => (
            <option key={wayId(way)} value={wayId(way)}>
              {nameOfWay(texts, way)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
