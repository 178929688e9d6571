/** Creates the slice of forms. */
import type { Apps } from "../apps/apps.ts";
import type { Connections } from "../connections/connections.ts";
import type { StoreFile } from "../files/create-file.ts";
import type { Files } from "../files/files.ts";
import { createForms } from "../forms/forms.ts";
import { createInputLinks } from "../forms/input-links.ts";
import { createWaitingInputs } from "../forms/waiting-inputs.ts";
import type { Runs } from "../runs/runs.ts";
import type { Versions } from "../workflows/versions.ts";
import type { Base } from "./storage.ts";

export function createFormSlices(
  base: Base,
  slices: { apps: Apps; connections: Connections; files: Files; storeFile: StoreFile; versions: Versions },
  runs: Runs,
) {
  const { apps, connections, files, storeFile, versions } = slices;
  const { bodyBytes, fileBytes } = base.limits;
  const waitingInputs = createWaitingInputs({ ...base, findVersion: versions.find });
  const inputLinks = createInputLinks({ ...base, waitingInputs, getRun: runs.get, getApp: apps.get });
  const forms = createForms({
    ...{ ...base, runs, links: inputLinks, storeFile, bodyBytes, fileBytes },
    getApp: apps.get,
    removeFile: files.remove,
    listConnections: connections.list,
  });
  return { waitingInputs, inputLinks, forms };
}
