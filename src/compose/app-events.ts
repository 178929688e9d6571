/** Creates the slice of app events. */
import { createAppEvents } from "../app-events/app-events.ts";
import { createEventDeliveries } from "../app-events/event-deliveries.ts";
import type { VersionCache } from "../engine/compile/version-cache.ts";
import type { PrepareRun } from "../runs/prepare-run.ts";
import type { Executor } from "../runs/run-executor.ts";
import type { Version } from "../workflows/version.ts";
import type { Base } from "./storage.ts";

export function createEventSlices(
  base: Base,
  parts: {
    executor: Executor;
    prepare: PrepareRun;
    compiled: VersionCache;
    latest(appId: string, workflowId: string): Promise<Version>;
  },
) {
  const eventDeliveries = createEventDeliveries({
    ...{ ...base, ...parts },
    startsOn: async (version, event, onFailure) => (await parts.compiled.get(version)).startsOn(event, onFailure),
  });
  const onEmitted = base.duties.assign("events", eventDeliveries.wake);
  return { eventDeliveries, appEvents: createAppEvents({ ...base, onEmitted }) };
}
