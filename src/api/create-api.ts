/** Creates the functions of `stepwell.*` from the route table, and those that HTTP has no shape for. */
import type { Api } from "./api.ts";
import { createInProcessFunctions, type InProcessParts } from "./in-process-functions.ts";
import { tableFunctions } from "./route-functions.ts";
import { type RouteSlices, routes } from "./route-table.ts";

export function createApi(slices: RouteSlices & InProcessParts): Api {
  const { uploads, webhooks, health, ...groups } = tableFunctions(routes, slices);
  const inProcess = createInProcessFunctions(slices);
  return {
    ...groups,
    runs: { ...groups.runs, ...inProcess.runs },
    files: { ...groups.files, createUpload: uploads.create, ...inProcess.files },
  };
}
