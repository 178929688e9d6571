/** A run with its descendant runs and their requests, which no crash may change. */
import type { JsonValue, Run } from "../../../src/index.ts";
import { essence } from "../../support/engine/crash.ts";
import { parseKey } from "./snapshot.ts";

export interface Family {
  readonly runs: readonly { readonly workflow: string; readonly essence: JsonValue }[];
  /** Each request once, without the run's own id. */
  readonly requests: readonly string[];
}

export function familyOf(root: Run, runs: readonly Run[], requestKeys: readonly string[]): Family {
  const members = withDescendants(root, runs);
  const workflowOf = new Map(members.map((run) => [run.id, run.workflow_id]));
  const requests = [...new Set(requestKeys)].flatMap((key) => {
    const { run, step, iteration, part } = parseKey(key);
    const workflow = workflowOf.get(run);
    return workflow === undefined ? [] : `${workflow} ${step} ${iteration} ${part}`;
  });
  const shown = members.map((run) => ({ workflow: run.workflow_id, essence: unrepeated(essence(run)) }));
  return { runs: shown.sort((one, other) => textOf(one).localeCompare(textOf(other))), requests: requests.sort() };
}

/** Child runs of items have no order among each other. */
const textOf = ({ workflow, essence }: Family["runs"][number]) => workflow + JSON.stringify(essence);

function withDescendants(root: Run, runs: readonly Run[]): readonly Run[] {
  const children = runs.filter(({ parent_run_id }) => parent_run_id === root.id);
  return [root, ...children.flatMap((child) => withDescendants(child, runs))];
}

/** A step that deletes something and is executed again finds it already deleted. */
function unrepeated(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value).replaceAll('"deleted":false', '"deleted":true'));
}
