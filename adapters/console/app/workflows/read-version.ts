/** Reads a version of a workflow, unless there is none. */
import type { Version } from "../../../../src/workflows/version.ts";
import { client } from "../server/client.ts";
import { queryClient } from "../server/query-client.ts";
import { workflowQuery } from "./use-workflow.ts";

interface Wanted {
  readonly appId: string;
  readonly workflowId: string;
  /** `latest`, `draft`, an id or a number. */
  readonly version: string;
  readonly signal: AbortSignal;
}

/** Null for the latest version of a workflow that was never deployed: asking for it would only be an error. */
export async function readVersion({ appId, workflowId, version, signal }: Wanted): Promise<Version | null> {
  if (version === "latest") {
    const { latest_version } = await queryClient.fetchQuery(workflowQuery(appId, workflowId));
    if (latest_version === null) return null;
  }
  return client.with({ signal }).workflows.getVersion(appId, workflowId, version);
}
