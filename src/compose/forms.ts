/** Creates the slice of forms. */
import { createForms } from "../forms/forms.ts";
import { createInputLinks } from "../forms/input-links.ts";
import { createWaitingInputs } from "../forms/waiting-inputs.ts";
import type { Runs } from "../runs/runs.ts";
import type { DataSlices, DefinitionSlices } from "./slices.ts";
import type { Base } from "./storage.ts";

export function createFormSlices(base: Base, slices: DataSlices & DefinitionSlices, runs: Runs) {
  const { apps, connections, files, storeFile, versions } = slices;
  const { bodyBytes, fileBytes } = base.limits;
  const waitingInputs = createWaitingInputs({ ...base, findVersion: versions.find });
  const inputLinks = createInputLinks({ ...base, waitingInputs, getApp: apps.get });
  const forms = createForms({
    ...{ ...base, runs, links: inputLinks, storeFile, bodyBytes, fileBytes },
    getApp: apps.get,
    removeFile: files.remove,
    listConnections: connections.list,
  });
  return { waitingInputs, inputLinks, forms };
}
