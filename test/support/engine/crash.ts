/** Shared by crash tests: drives runs to their end, and extracts what must not depend on a crash. */
import type { JsonObject, JsonValue, Run } from "../../../src/index.ts";
import type { Service } from "./service.ts";

/** Drives a run to its end, and provides input to waiting steps. */
export async function drive(service: Service, runId: string): Promise<Run> {
  const asks = (run: Run) => run.steps.find(({ type, status }) => type === "input" && status === "waiting");
  for (;;) {
    const run = await service.until(runId, (one) => one.finished_at !== null || asks(one) !== undefined);
    const waiting = asks(run);
    if (run.finished_at !== null || waiting === undefined) return run;
    await service.stepwell.runs.provide(service.app, runId, waiting.key, { answer: "yes" });
  }
}

const RESULT_OF_RULE =
  /"result":"(?:PENDING|PASS)","run_id":(?:"ID"|null),"error":null,"started_at":(?:"TIME"|null),"finished_at":(?:"TIME"|null)/g;

/** What must be the same however often the process died: everything except times, ids and attempts. */
export function essence({ status, output, error, steps }: Run): JsonValue {
  const timeless = (value: JsonValue): JsonValue =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
        .replaceAll(/\b[a-z]+_[0-9a-z]{26}\b/g, "ID")
        // A step waits ten seconds for rules, which may take longer on a busy machine. Their final results are checked, too.
        .replaceAll(RESULT_OF_RULE, '"result":"PASS or PENDING"'),
    ) as JsonValue;
  const shown = steps.map(({ key, status, output, error }) => ({ key, status, output, error }));
  return timeless({ status, output, error, steps: shown } as unknown as JsonObject);
}
