/** The steps of a run in depth, for people who look at them. Changes nothing and executes nothing. */
import type { OpenConnection } from "../../connections/connections.ts";
import type { Page } from "../../documents/pagination.ts";
import { StepwellError } from "../../errors.ts";
import { type JsonValue, omitUndefined } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RunInspector, StepSelection } from "../../runs/inspection/run-inspector.ts";
import type { StepDetails, StepPart, StepPartsQuery } from "../../runs/inspection/step-details.ts";
import type { LoadCel } from "../compile/compile.ts";
import type { Plan } from "../compile/plan.ts";
import { isLargeValue } from "../state/large-values.ts";
import type { StoredStep } from "../state/run-document.ts";
import { attemptsOf } from "./attempts.ts";
import { conditionsOf } from "./conditions.ts";
import { evaluateTexts } from "./evaluate.ts";
import { createEvaluationScopes, placeOf, stepsBefore } from "./evaluation-scope.ts";
import type { InspectedRun, InspectRun, OutputStart } from "./inspected-run.ts";
import { type CutJson, cutJson } from "./json-preview.ts";
import { logOfPart } from "./log-of-part.ts";
import { createPreviewRun } from "./preview-run.ts";
import { inputOf } from "./step-input.ts";
import { partsOf, type StepParts } from "./step-parts.ts";
import { stepsSeenBy, viewStep } from "./step-view.ts";

export function createInspector(parts: {
  inspect: InspectRun;
  clock: Clock;
  compiled: { readonly loadCel: LoadCel };
  openConnection: OpenConnection;
}): RunInspector {
  const { inspect, clock, compiled, openConnection } = parts;
  const { loadCel } = compiled;

  async function find(runId: string, stepKey: string, seen = stepsSeenBy, selection: StepSelection = {}) {
    const run = await inspect(
      runId,
      (plan, keys) => {
        const index = keys.indexOf(stepKey);
        return index < 0 ? [] : seen(plan, index);
      },
      (plan, steps) => startsFor(plan, steps, stepKey, selection),
    );
    const index = run.keys.indexOf(stepKey);
    if (index < 0) throw new StepwellError("not_found", `The run has no step with the key ${JSON.stringify(stepKey)}.`);
    return { run, index };
  }

  const itself = (_: Plan | null, index: number) => [index];

  return {
    async step(runId, stepKey, { item, preview }) {
      const cel = await loadCel();
      const { run, index } = await find(runId, stepKey, stepsSeenBy, { item, preview });
      const view = viewStep(run, index);
      const shown = stepFields(run, index, item);
      const start = run.start(index);
      const chars = item === undefined ? storedChars(run, index) : undefined;
      const conditions = view === null ? undefined : conditionsOf(view, cel);
      const found = view === null ? { missing: "version_missing" as const } : await inputOf(view, item, openConnection);
      return {
        run_id: runId,
        ...shown,
        ...(start === undefined ? cutAs("output", shown.output, preview, chars) : asCut("output", start)),
        ...("missing" in found ? { input: null, input_missing: found.missing } : cutAs("input", found.input, preview)),
        latest_attempts: [...attemptsOf(run, index, item)],
        ...omitUndefined({ conditions: conditions === undefined ? undefined : [...conditions] }),
      };
    },

    async parts(runId, stepKey, query) {
      const { run, index } = await find(runId, stepKey, itself);
      return pageOfParts(partsOf(run, index) ?? NO_PARTS, query);
    },

    async output(runId, stepKey, { item }) {
      const { run, index } = await find(runId, stepKey, itself);
      return stepFields(run, index, item).output;
    },

    async evaluate(runId, { before_step, item = 0, items, expressions, max_value_chars: maxValueChars, ...one }) {
      const cel = await loadCel();
      const texts = expressions ?? [one];
      await cel.prepare([items, ...texts.map(({ expression, template }) => expression ?? template)].join("\n"));
      const run = await inspect(runId, (plan, keys) =>
        plan === null ? [] : stepsBefore(plan, indexOf(keys, before_step)),
      );
      const { plan, keys } = run;
      const index = indexOf(keys, before_step);
      if (plan === null) throw new StepwellError("conflict", "The version of the run no longer exists.");
      const scopeAt = createEvaluationScopes({ run, plan, index, item, items, now: clock.now(), cel });
      const results = await evaluateTexts(texts, { cel, place: placeOf(plan, index), scopeAt, maxValueChars });
      return expressions === undefined ? { ...results[0] } : { results: [...results] };
    },

    preview: createPreviewRun(inspect),
  };
}

/** @throws StepwellError `not_found` */
function indexOf(keys: readonly string[], key: string | undefined): number | undefined {
  if (key === undefined) return undefined;
  const index = keys.indexOf(key);
  if (index >= 0) return index;
  throw new StepwellError("not_found", `The run has no step with the key ${JSON.stringify(key)}.`);
}

type StepFields = Omit<StepDetails, "run_id" | "input" | "latest_attempts">;

/** The fields of a step, or of one of its parts. */
function stepFields(run: InspectedRun, index: number, item: StepSelection["item"]): StepFields {
  const { errors: _errors, omitted: _omitted, output_bytes: _length, ...step } = run.shown(index);
  if (item === undefined) return step;
  const found = partsOf(run, index);
  if (found === null || item >= found.total) {
    throw new StepwellError("not_found", `The step has no item or repetition with the index ${item}.`);
  }
  const { index: _index, output_bytes: _bytes, ...part } = found.shown(item);
  const { key, type } = step;
  const output = found.output(item);
  const isForgotten = output === undefined && part.status === "succeeded";
  return {
    ...{ key, type, ...part, ...logOfPart(step, item), item, output: output ?? null },
    ...omitUndefined({ output_missing: isForgotten ? ("not_stored" as const) : undefined }),
  };
}

/** Of a large output that is cut, only the start is read, unless conditions of the step need the whole. */
function startsFor(
  plan: Plan | null,
  steps: readonly StoredStep[],
  key: string,
  { item, preview: limit }: StepSelection,
): readonly OutputStart[] {
  const index = steps.findIndex((step) => step.key === key);
  const { output, has_items } = steps[index] ?? {};
  if (limit === undefined || output === undefined || !isLargeValue(output)) return [];
  if (output.chars === undefined || output.chars <= limit) return [];
  const isRead = plan?.graph.start === index || plan?.steps[index]?.loop !== undefined;
  if (isRead || (item !== undefined && has_items !== true)) return [];
  return [{ index, limit, item }];
}

/** About how long the output of a step is as JSON, if that is stored. */
function storedChars({ document }: InspectedRun, index: number): number | undefined {
  const { output, has_items } = document.steps?.[index] ?? {};
  return output !== undefined && has_items !== true && isLargeValue(output) ? output.chars : undefined;
}

type Cut<Name extends string> = { readonly [Key in Name]: JsonValue } & {
  readonly [Key in `${Name}_bytes`]?: number;
} & { readonly [Key in `${Name}_preview`]?: string };

function cutAs<const Name extends "input" | "output">(
  name: Name,
  value: JsonValue,
  limit: number | undefined,
  chars?: number,
): Cut<Name> {
  const cut = limit === undefined ? null : cutJson(value, limit, chars);
  return cut === null ? ({ [name]: value } as Cut<Name>) : asCut(name, cut); // the name is `name`
}

function asCut<const Name extends "input" | "output">(name: Name, { bytes, preview }: CutJson): Cut<Name> {
  const fields = { [name]: null, [`${name}_bytes`]: bytes, [`${name}_preview`]: preview };
  return fields as Cut<Name>; // the names are made of `name`
}

/** Of a step that is executed once. */
const NO_PARTS: StepParts = {
  total: 0,
  status: () => "pending",
  shown: (index) => ({ index, status: "pending", started_at: null, finished_at: null, attempts: 0, error: null }),
  output: () => undefined,
};

const TOKEN = /^item_(\d{1,5})$/;

function pageOfParts(
  { total, status, shown }: StepParts,
  { page, take, page_token, status: wanted }: StepPartsQuery,
): Page<StepPart> {
  const all = Array.from({ length: total }, (_, part) => part);
  const matching = wanted === undefined ? all : all.filter((part) => wanted.includes(status(part)));
  const from = page_token === undefined ? (page - 1) * take : startOf(matching, page_token);
  const next = matching[from + take];
  return {
    items: matching.slice(from, from + take).map(shown),
    page,
    take,
    more: next !== undefined,
    total: matching.length,
    ...omitUndefined({ next_page_token: next === undefined ? undefined : `item_${next}` }),
  };
}

function startOf(matching: readonly number[], token: string): number {
  const [, first] = TOKEN.exec(token) ?? [];
  if (first === undefined)
    throw invalid([
      { pointer: "/page_token", message: "Must be the next page token of the previous page.", in: "query" },
    ]);
  const at = matching.findIndex((part) => part >= Number(first));
  return at < 0 ? matching.length : at;
}
