/** The variables of expressions that don't depend on the progress of a run. Pure. */
import type { RunDocument } from "./run-document.ts";

export function baseScope(document: RunDocument) {
  const { values, id, workflow_id, version, trigger, tags, metadata, app_id, app_name } = document;
  const run = { id, workflow_id, version, trigger, tags, metadata };
  return { input: values, run, app: { id: app_id, name: app_name } };
}
