/** What the run was given: its values with the labels of their fields. Without fields, as a tree. */
import { type JsonValue, ownField } from "../../../../src/json.ts";
import type { Run } from "../../../../src/runs/run.ts";
import { entriesInOrder } from "../../../../src/workflows/input/entries-in-order.ts";
import type { InputField } from "../../../../src/workflows/input/input-field.ts";
import { definitionAt } from "../../../../src/workflows/start-step.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { JsonView } from "../elements/values/json-view.tsx";
import { useTexts } from "../texts/language.ts";
import { InputValue } from "./input-value.tsx";

interface RunInputProps {
  readonly appId: string;
  readonly run: Run;
  /** Null if it is gone, or may not be read: then values have no labels. */
  readonly version: Version | null;
}

export function RunInput({ appId, run, version }: RunInputProps) {
  const { inbox } = useTexts();
  const names = Object.keys(run.input);
  if (names.length === 0) return null;
  const definition = version === null ? {} : definitionAt(version, startOf(run));
  const isLabelled = names.some((name) => Object.hasOwn(definition, name));
  return (
    <details className="run-input" open>
      <summary>{inbox.runInput}</summary>
      {isLabelled ? (
        <dl>
          {rowsOf(definition, run.input).map(({ name, field, value }) => (
            <div key={name}>
              <dt>
                <bdi>{field?.name ?? name}</bdi>
              </dt>
              <dd>
                <InputValue appId={appId} field={field} value={value} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <JsonView value={run.input} />
      )}
    </details>
  );
}

interface InputRow {
  readonly name: string;
  /** Undefined for a value that the definition does not know. */
  readonly field: InputField | undefined;
  readonly value: JsonValue;
}

/** The fields in the order of their form, then what else the run was given. */
function rowsOf(definition: Readonly<Record<string, InputField>>, input: Run["input"]): readonly InputRow[] {
  const fields = entriesInOrder(definition);
  const known = new Set(fields.map(([name]) => name));
  const rest = Object.keys(input).filter((name) => !known.has(name));
  return [...fields.map(([name]) => name), ...rest].flatMap((name) => {
    const value = ownField(input, name);
    const field = ownField(definition, name);
    return value === undefined || value === null ? [] : [{ name, field, value }];
  });
}

/** The step that the run started at: the first input step that began. Null if there is none. */
function startOf({ steps }: Run): string | null {
  const begun = steps.flatMap(({ type, key, started_at: at }) =>
    type === "input" && at !== null ? [{ key, at }] : [],
  );
  const first = begun.reduce<{ key: string; at: string } | null>(
    (least, one) => (least === null || one.at < least.at ? one : least),
    null,
  );
  return first?.key ?? null;
}
