/** A connection of the app for a service: one of those there are, an expression, or a new one. */
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { ValueField } from "../../expressions/value-field.tsx";
import { urlOf } from "../../routing/location.ts";
import { useTexts } from "../../texts/language.ts";
import { useConnections } from "../server-data.ts";
import { Choice } from "./plain-fields.tsx";

interface ConnectionFieldProps {
  readonly service: string;
  readonly isNeeded: boolean;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly error: FieldProblem | null;
}

export function ConnectionField({ service, isNeeded, value, onChange, error }: ConnectionFieldProps) {
  const { steps: texts } = useTexts();
  const { app } = useSurroundings();
  const connections = useConnections(app.id).filter((one) => one.service === service);
  return (
    <ValueField
      label={texts.connection}
      hint={
        <a
          href={urlOf(`/apps/${app.id}/connections?new=${encodeURIComponent(service)}`)}
          target="_blank"
          rel="noopener"
        >
          {texts.newConnection}
        </a>
      }
      isOptional={!isNeeded}
      value={value}
      error={error}
      onChange={(next) => onChange(typeof next === "string" && next !== "" ? next : undefined)}
      plain={({ id, describedBy, isInvalid }) => (
        <Choice
          {...{ id, describedBy, isInvalid }}
          value={value}
          none={texts.none}
          options={connections.map((one) => ({ value: one.id, label: one.name }))}
          onChange={onChange}
        />
      )}
    />
  );
}
