/** What a step sees: first what it mentions, then everything that it could read, with a search for steps. */
import { useMemo, useState } from "react";
import type { JsonObject, JsonValue } from "../../../../../src/json.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { SearchField } from "../../elements/fields/search-field.tsx";
import { fieldsOf, type KnownField } from "../../expressions/known-value.ts";
import { mentionedBy } from "../../expressions/mentioned.ts";
import { ValueTree } from "../../expressions/value-tree.tsx";
import { useTexts } from "../../texts/language.ts";

/** Steps from which on one searches rather than reads. */
const MANY_STEPS = 10;

export function SeenValues({ step, variables }: { readonly step: Step; readonly variables: readonly KnownField[] }) {
  const { steps: texts } = useTexts();
  const [search, setSearch] = useState("");
  const mentioned = useMemo(() => mentionedFields(step, variables), [step, variables]);
  const wanted = search.trim().toLowerCase();
  const isLong = variables.some((one) => one.name === "steps" && fieldsOf(one).length > MANY_STEPS);
  const found = wanted === "" ? variables : variables.flatMap((one) => searched(one, wanted));
  const everything = (
    <>
      {isLong ? <SearchField value={search} onChange={setSearch} label={texts.searchSteps} /> : null}
      {found.length === 0 ? <p className="hint">{texts.noStepFound}</p> : <ValueTree fields={found} />}
    </>
  );
  if (mentioned.length === 0) return everything;
  return (
    <>
      <ValueTree fields={mentioned} />
      <details>
        <summary>{texts.everything}</summary>
        {everything}
      </details>
    </>
  );
}

function mentionedFields(step: Step, variables: readonly KnownField[]): readonly KnownField[] {
  const mentioned = mentionedBy(step);
  return variables.flatMap((one) => {
    if (!mentioned.variables.has(one.name)) return [];
    return one.name === "steps" ? onlySteps(one, (key) => mentioned.steps.has(key)) : [one];
  });
}

const searched = (field: KnownField, wanted: string): readonly KnownField[] =>
  field.name === "steps" ? onlySteps(field, (key) => key.toLowerCase().includes(wanted)) : [];

/** The steps with some of their entries; nothing if none is left. */
function onlySteps(field: KnownField, isWanted: (key: string) => boolean): readonly KnownField[] {
  if (!fieldsOf(field).some(({ name }) => isWanted(name))) return [];
  const { schema, value } = field;
  return [
    {
      name: field.name,
      schema: { ...schema, properties: entriesOf(schema["properties"], isWanted) },
      value: value === undefined ? undefined : entriesOf(value, isWanted),
    },
  ];
}

function entriesOf(value: JsonValue | undefined, isWanted: (key: string) => boolean): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => isWanted(key)));
}
