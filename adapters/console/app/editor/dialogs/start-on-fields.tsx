/** Events that start a workflow. */
import type { Settings } from "../../../../../src/workflows/settings.ts";
import { Button, IconButton } from "../../elements/controls/button.tsx";
import { Field } from "../../elements/fields/field.tsx";
import { useTexts } from "../../texts/language.ts";
import { ExpressionSetting } from "./setting-fields.tsx";

type StartOn = NonNullable<Settings["start_on"]>;

interface StartOnFieldsProps {
  readonly value: StartOn;
  readonly onChange: (value: StartOn) => void;
}

export function StartOnFields({ value, onChange }: StartOnFieldsProps) {
  const { editor: texts, general } = useTexts();
  const replace = (at: number, event: StartOn[number]) => onChange(value.with(at, event));
  return (
    <fieldset className="setting-group">
      <legend>{texts.startOn}</legend>
      {value.map((event, at) => (
        <div key={at} className="start-on">
          <Field label={texts.eventName}>
            {(attributes) => (
              <input
                {...attributes}
                required
                autoComplete="off"
                value={event.name}
                onChange={({ target }) => replace(at, { ...event, name: target.value })}
              />
            )}
          </Field>
          <ExpressionSetting
            label={texts.eventCondition}
            value={event.condition}
            onChange={(condition) => {
              const { condition: _, ...others } = event;
              replace(at, condition === undefined ? others : { ...others, condition });
            }}
          />
          <IconButton
            icon="trash"
            label={`${general.remove}: ${event.name}`}
            onClick={() => onChange(value.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button icon="plus" onClick={() => onChange([...value, { name: "" }])}>
        {texts.addEvent}
      </Button>
    </fieldset>
  );
}
