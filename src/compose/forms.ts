/** Creates the slice of forms. */
import type { Apps } from "../apps/apps.ts";
import type { Connections } from "../connections/connections.ts";
import type { StoreFile } from "../files/create-file.ts";
import type { Files } from "../files/files.ts";
import { createForms, createOfferedConnections } from "../forms/forms.ts";
import { createInputLinks } from "../forms/input-links.ts";
import { createIsStored } from "../forms/repeated-answer.ts";
import { createStartForms } from "../forms/start-forms.ts";
import { createWaitingInputs } from "../forms/waiting-inputs.ts";
import type { Hooks } from "../hooks/hook-registry.ts";
import { createRequestReceipts } from "../hooks/request-receipts.ts";
import type { CheckSenderFiles } from "../hooks/sender-files.ts";
import type { Runs } from "../runs/runs.ts";
import type { Versions } from "../workflows/versions.ts";
import type { Workflows } from "../workflows/workflows.ts";
import type { Base } from "./storage.ts";

export function createFormSlices(
  base: Base,
  slices: {
    apps: Apps;
    connections: Connections;
    files: Files;
    hooks: Hooks;
    storeFile: StoreFile;
    checkSenderFiles: CheckSenderFiles;
    versions: Versions;
    workflows: Workflows;
  },
  runs: Runs,
) {
  const { apps, connections, files, hooks, storeFile, checkSenderFiles, versions, workflows } = slices;
  const { bodyBytes, fileBytes } = base.limits;
  const waitingInputs = createWaitingInputs({ ...base, findVersion: versions.find });
  const inputLinks = createInputLinks({ ...base, waitingInputs, getRun: runs.get, getApp: apps.get });
  const offered = createOfferedConnections(connections.list);
  const submissions = { storeFile, removeFile: files.remove, bodyBytes, fileBytes };
  const shared = { ...base, ...submissions, runs, offered, checkSenderFiles, getApp: apps.get };
  const latest = (appId: string, workflowId: string) => versions.forRun(appId, workflowId, "latest");
  return {
    waitingInputs,
    inputLinks,
    forms: createForms({ ...shared, links: inputLinks, isStored: createIsStored({ runs }) }),
    startForms: createStartForms({
      ...shared,
      receipts: createRequestReceipts(base),
      hooks,
      getWorkflow: workflows.get,
      latest,
    }),
  };
}
