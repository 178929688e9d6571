/** What this tab has answered, so that going back to an entry does not look as if somebody else had been faster. */

/** When, ISO 8601, by the entry. For as long as the page is open: then, the run says who has answered. */
const answers = new Map<string, string>();

const nameOf = (appId: string, runId: string, stepKey: string): string => `${appId} ${runId} ${stepKey}`;

export function rememberAnswer(appId: string, runId: string, stepKey: string): void {
  answers.set(nameOf(appId, runId, stepKey), new Date().toISOString());
}

/** Undefined if this tab has not answered it. */
export const answeredAt = (appId: string, runId: string, stepKey: string): string | undefined =>
  answers.get(nameOf(appId, runId, stepKey));
