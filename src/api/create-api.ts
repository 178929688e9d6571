/** Creates the functions of `stepwell.*`: most from the route table, the rest only for in-process callers. */

import type { Caller } from "../calls/caller.ts";
import type { Api } from "./api.ts";
import { createInProcessFunctions, type InProcessParts } from "./in-process-functions.ts";
import { acceptTypedData, createRecordTransfers, type TransferParts } from "./record-transfers.ts";
import { tableFunctions } from "./route-functions.ts";
import { type RouteSlices, routes } from "./route-table.ts";

export function createApi(
  slices: RouteSlices & InProcessParts & TransferParts,
  caller: Caller = { kind: "host" },
): Api {
  const { uploads, hookRequests, runRequests, triggerEvents, forms, mcp, me, health, openapi, ...rest } =
    tableFunctions(routes, slices, caller);
  const { console: _, ...groups } = rest;
  const inProcess = createInProcessFunctions(slices, caller);
  return {
    ...groups,
    apps: { ...groups.apps, ...inProcess.apps },
    records: acceptTypedData({ ...groups.records, ...createRecordTransfers(slices, caller) }),
    runs: { ...groups.runs, ...inProcess.runs },
    jobs: { ...groups.jobs, ...inProcess.jobs },
    files: { ...groups.files, createUpload: uploads.create, ...inProcess.files },
  };
}
