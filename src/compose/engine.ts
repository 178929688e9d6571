/** Creates the engine and the capabilities of its steps. */
import { createEngine, type Engine } from "../engine/engine.ts";
import type { CallingStep } from "../engine/execution/step-context.ts";
import type { VersionUses } from "../engine/state/version-uses.ts";
import { createRunChild } from "../engine/steps/child-run.ts";
import { createReadFile } from "../files/read-file.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import { createDescribeWorkflow } from "../runs/describe-workflow.ts";
import type { Telemetry } from "../runs/telemetry.ts";
import type { ActionContext } from "../services/service.ts";
import type { Background } from "../time/background.ts";
import { createPause } from "../time/pause.ts";
import type { DataSlices, DefinitionSlices } from "./slices.ts";
import type { Base } from "./storage.ts";

export function composeEngine(
  base: Base,
  slices: DataSlices & DefinitionSlices,
  parts: {
    background: Background;
    fetch: GuardedFetch;
    telemetry: Telemetry | undefined;
    versionUses: VersionUses;
    /** Returns the service functions for the actions of a step. */
    stepwell(step: CallingStep): ActionContext["stepwell"];
  },
): Engine {
  const { background, fetch, telemetry, stepwell, versionUses } = parts;
  const { apps, files, workflows, versions, connections, fileContents, compiled, completeInput, prepare } = slices;
  const getWorkflow = workflows.get;

  return createEngine({
    ...{ ...base, background, compiled, completeInput, prepare, telemetry, versionUses },
    appExists: apps.exists,
    isAppDeleted: (appId) => base.deletedApps.has(appId),
    findVersion: versions.find,
    findFiles: files.find,
    openConnection: connections.open,
    effects: (executor) => ({
      ...{ now: () => base.clock.now(), pause: createPause(base.clock), fetch, fileContents, stepwell },
      readFile: createReadFile(files),
      ...{ storeFile: slices.storeFile, fileBytes: slices.fileBytes },
      describeWorkflow: createDescribeWorkflow({ getWorkflow, versionForRun: versions.forRun }),
      openConnection: connections.open,
      runChild: createRunChild({ ...base, executor, background, prepare, getWorkflow }),
    }),
  });
}
