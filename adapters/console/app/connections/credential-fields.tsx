/** The credentials of a service, from the JSON Schema of the service. */
import type { JsonObject, JsonValue } from "../../../../src/json.ts";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { JsonField } from "../elements/fields/json-field.tsx";
import { useTexts } from "../texts/language.ts";

interface CredentialFieldsProps {
  readonly appId: string;
  /** Null if the service has none. */
  readonly schema: JsonObject | null;
  readonly hint: string;
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
  readonly error: unknown;
}

export function CredentialFields({ hint, value, onChange, error }: CredentialFieldsProps) {
  const { connections: texts } = useTexts();
  const change = (next: JsonValue) => {
    if (typeof next === "object" && next !== null && !Array.isArray(next)) onChange(next);
  };
  return (
    <JsonField
      label={texts.credentials}
      hint={hint}
      value={value}
      onChange={change}
      error={fieldError(error, "/credentials")}
    />
  );
}
