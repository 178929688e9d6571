/** The fields of an object, and further values where it accepts them. */
import type { ObjectEntry } from "../../../../src/forms/model/entry.ts";
import type { ObjectShape } from "../../../../src/forms/model/form-model.ts";
import type { Change } from "./control-props.ts";
import { ExtraValues } from "./extra-values.tsx";
import { FieldView } from "./field-view.tsx";
import { placeIn } from "./form-context.ts";

interface ObjectFieldsProps {
  readonly shape: ObjectShape;
  readonly entry: ObjectEntry;
  readonly change: Change;
  readonly place: string;
}

export function ObjectFields({ shape, entry, change, place }: ObjectFieldsProps) {
  return (
    <div className="field-grid">
      {shape.fields
        .filter(({ isHidden }) => !isHidden)
        .map((field) => (
          <FieldView
            key={field.key}
            field={field}
            entry={entry.fields[field.key] ?? NONE}
            change={change}
            place={placeIn(place, field.key)}
          />
        ))}
      {shape.additional === false && entry.extra.length === 0 ? null : (
        <ExtraValues additional={shape.additional} entry={entry} change={change} place={place} />
      )}
    </div>
  );
}

const NONE = { kind: "none" } as const;
