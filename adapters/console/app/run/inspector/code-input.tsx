/** What a code step could read: first what its code mentions, then everything, with a search for steps. */
import { useMemo, useState } from "react";
import type { JsonObject, JsonValue } from "../../../../../src/json.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { SearchField } from "../../elements/fields/search-field.tsx";
import { JsonView } from "../../elements/values/json-view.tsx";
import { pathText } from "../../expressions/known-value.ts";
import { mentionedBy } from "../../expressions/mentioned.ts";
import { useTexts } from "../../texts/language.ts";
import { ValueView } from "../values/value-view.tsx";

/** Steps from which on one searches rather than reads. */
const MANY_STEPS = 10;

interface CodeInputProps {
  readonly appId: string;
  readonly definition: Step;
  readonly value: JsonValue;
  /** Name of the file that is saved, without its ending. */
  readonly name: string;
}

export function CodeInput({ appId, definition, value: input, name }: CodeInputProps) {
  const { steps: texts } = useTexts();
  const value = objectOf(input);
  const [search, setSearch] = useState("");
  const mentioned = useMemo(() => mentionedValues(definition, value), [definition, value]);
  const wanted = search.trim().toLowerCase();
  const shown = useMemo(() => (wanted === "" ? value : searched(value, wanted)), [value, wanted]);
  const hasMentioned = Object.keys(mentioned).length > 0;
  const everything = (
    <>
      {countOf(value["steps"]) > MANY_STEPS ? (
        <SearchField value={search} onChange={setSearch} label={texts.searchSteps} />
      ) : null}
      {countOf(shown) === 0 ? (
        <p className="hint">{texts.noStepFound}</p>
      ) : (
        <ValueView key={wanted} appId={appId} value={shown} name={name} />
      )}
    </>
  );
  if (!hasMentioned) return everything;
  return (
    <>
      <JsonView value={mentioned} />
      <details>
        <summary>{texts.everything}</summary>
        {everything}
      </details>
    </>
  );
}

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : NOTHING;
const NOTHING: JsonObject = {};

const countOf = (value: JsonValue | undefined): number => Object.keys(objectOf(value)).length;

/** By the expression of each, so that the values of steps are seen at once. */
function mentionedValues(definition: Step, value: JsonObject): JsonObject {
  const { variables, steps } = mentionedBy(definition);
  const found = Object.entries(value).filter(([name]) => variables.has(name) && name !== "steps");
  const read = Object.entries(stepsOf(value, (key) => steps.has(key)));
  return Object.fromEntries([...read.map(([key, step]) => [pathText("steps", key, false), step] as const), ...found]);
}

function searched(value: JsonObject, wanted: string): JsonObject {
  const steps = stepsOf(value, (key) => key.toLowerCase().includes(wanted));
  return Object.keys(steps).length === 0 ? {} : { steps };
}

function stepsOf({ steps }: JsonObject, isWanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(objectOf(steps)).filter(([key]) => isWanted(key)));
}
