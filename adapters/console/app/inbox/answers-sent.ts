/** What this tab has answered, so that going back to an entry does not look as if somebody else had been faster. */
import type { WaitingInput } from "../../../../src/forms/waiting-input.ts";
import { dropValues } from "../forms/kept-values.ts";
import { queryClient } from "../server/query-client.ts";

/** When, ISO 8601, by the entry. For as long as the page is open: then, the run says who has answered. */
const answers = new Map<string, string>();

const nameOf = (appId: string, runId: string, stepKey: string): string => `${appId} ${runId} ${stepKey}`;

/** Where the values of a form are kept that waits. A loop, or a retry, asks again: what was typed for another wait is not for this one. */
export const keptName = (appId: string, runId: string, { step_key, since }: WaitingInput): string =>
  `inbox/${appId}/${runId}/${step_key}/${since}`;

/** Called when the server has an answer of this tab. */
export function settleAnswer(appId: string, runId: string, input: WaitingInput): void {
  dropValues(keptName(appId, runId, input));
  answers.set(nameOf(appId, runId, input.step_key), new Date().toISOString());
  // The entry itself waits no longer: the server would refuse to read it again.
  void queryClient.invalidateQueries({
    queryKey: [appId, "inputs"],
    predicate: ({ queryKey }) => queryKey[2] !== runId,
  });
  void queryClient.invalidateQueries({ queryKey: [appId, "runs"] });
}

/** Undefined if this tab has not answered it. */
export const answeredAt = (appId: string, runId: string, stepKey: string): string | undefined =>
  answers.get(nameOf(appId, runId, stepKey));
