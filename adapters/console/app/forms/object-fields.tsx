/** The fields of an object, and further values where it accepts them. */
import { ownField } from "../../../../src/json.ts";
import type { ObjectFieldsProps } from "./control-props.ts";
import { ExtraValues } from "./extra-values.tsx";
import { FieldView } from "./field-view.tsx";
import { placeIn } from "./form-context.ts";

export function ObjectFields({ shape, entry, change, place }: ObjectFieldsProps) {
  return (
    <div className="field-grid">
      {shape.fields
        .filter(({ isHidden }) => !isHidden)
        .map((field) => (
          <FieldView
            key={field.key}
            field={field}
            entry={ownField(entry.fields, field.key) ?? NONE}
            change={change}
            place={placeIn(place, field.key)}
          />
        ))}
      {shape.additional === false && entry.extra.length === 0 ? null : (
        <ExtraValues hasHeading={shape.fields.length > 0} shape={shape} entry={entry} change={change} place={place} />
      )}
    </div>
  );
}

const NONE = { kind: "none" } as const;
