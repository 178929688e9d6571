/** The input steps at which a run waits, as they are stored and found. */
import type { RowChange } from "../ports/store.ts";

/** An input step that waits, as the document of its run has it. */
export interface OpenInput {
  /** Index of the step. */
  readonly step: number;
  readonly key: string;
  /** Number of the iteration, from 1. */
  readonly iteration: number;
  /** When it became ready, ISO 8601. */
  readonly since: string;
  /** When it fails without input, ISO 8601; null for no time limit of its own. */
  readonly until: string | null;
}

/** The runs of an app that wait for input, by the time since when they have. */
export const runsWithInputs = (appId: string) => `inputs.${appId}`;

interface WaitingRun {
  readonly id: string;
  readonly app_id: string;
  readonly workflow_id: string;
  readonly inputs?: readonly OpenInput[];
}

/** The row of a run that waits for input. @param before The stored document. */
export function inputRows(run: WaitingRun, before: WaitingRun | undefined, hasEnded: boolean): RowChange[] {
  const { id, app_id, workflow_id, inputs } = run;
  const list = runsWithInputs(app_id);
  if (hasEnded || inputs === undefined) {
    return inputs === undefined && before?.inputs === undefined ? [] : [{ list, delete: id }];
  }
  const [order] = inputs.map(({ since }) => since).sort();
  return [{ list, put: { id, order, marks: [`workflow:${workflow_id}`] } }];
}
