/** What the editors ask the server for. */
import { useQuery } from "@tanstack/react-query";
import type { Connection } from "../../../../src/connections/connection.ts";
import type { Run, RunSummary } from "../../../../src/runs/run.ts";
import type { ServiceInfo } from "../../../../src/services/service-info.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { loadTranslated } from "../built-ins/load-translated.ts";
import { translatedService } from "../built-ins/translate.ts";
import { client } from "../server/client.ts";
import { useSettings } from "../settings/use-settings.ts";
import { workflowsQuery } from "../workflows/use-workflow.ts";

/** What hosts configure does not change while a page is open. */
const STABLE = { staleTime: Number.POSITIVE_INFINITY } as const;
/** Enough to choose from; more are found by typing an id. */
const TAKE = 100;

const NO_SERVICES: readonly ServiceInfo[] = [];

/** The services that steps can call, in the language of the page. */
export function useServicesQuery(appId: string) {
  const { language } = useSettings();
  return useQuery({
    queryKey: [appId, "services", language],
    queryFn: ({ signal }) =>
      loadTranslated(() => client.with({ signal }).services.list(), translatedService, { language, signal }),
    ...STABLE,
  });
}

export const useServices = (appId: string): readonly ServiceInfo[] => useServicesQuery(appId).data ?? NO_SERVICES;

export const useMe = (appId: string) =>
  useQuery({ queryKey: [appId, "me"], queryFn: ({ signal }) => client.with({ signal }).me(), ...STABLE }).data ?? null;

export function useConnections(appId: string): readonly Connection[] {
  const { data } = useQuery({
    queryKey: [appId, "connections", "all"],
    queryFn: ({ signal }) => client.with({ signal }).connections.list(appId, { take: TAKE }),
  });
  return data?.items ?? [];
}

export function useWorkflows(appId: string): readonly Workflow[] {
  return useQuery(workflowsQuery(appId)).data?.items ?? [];
}

/** @param version A number, an id, `latest` or `draft`. */
export function useVersion(appId: string, workflowId: string | null, version: string): Version | null {
  const { data } = useQuery({
    queryKey: [appId, "workflows", workflowId, "versions", version],
    queryFn: ({ signal }) => client.with({ signal }).workflows.getVersion(appId, workflowId ?? "", version),
    enabled: workflowId !== null,
    retry: false,
  });
  return data ?? null;
}

export function useVersions(appId: string, workflowId: string | null): readonly Version[] {
  const { data } = useQuery({
    queryKey: [appId, "workflows", workflowId, "versions"],
    queryFn: ({ signal }) => client.with({ signal }).workflows.listVersions(appId, workflowId ?? "", { take: TAKE }),
    enabled: workflowId !== null,
  });
  return data?.items ?? [];
}

/** Bytes of JSON of a value that editors show. */
const MAX_SHOWN_BYTES = 16_384;
/** Bytes of JSON of an output that is looked at. */
const MAX_OUTPUT_BYTES = 262_144;

/** A run without its long values. */
export function useRun(appId: string, runId: string | null): Run | null {
  const { data } = useQuery({
    queryKey: [appId, "runs", runId, "short"],
    queryFn: ({ signal }) => client.with({ signal }).runs.get(appId, runId ?? "", { preview: MAX_SHOWN_BYTES }),
    enabled: runId !== null,
  });
  return data ?? null;
}

/** A step of a run. A long output comes as its beginning. */
export function useStepOfRun(appId: string, runId: string | null, stepKey: string) {
  return useQuery({
    queryKey: [appId, "runs", runId, "steps", stepKey, "output"],
    queryFn: ({ signal }) =>
      client.with({ signal }).runs.getStep(appId, runId ?? "", stepKey, { preview: MAX_OUTPUT_BYTES }),
    enabled: runId !== null,
    retry: false,
  });
}

export function useLastRuns(appId: string, workflowId: string): readonly RunSummary[] {
  const { data } = useQuery({
    queryKey: [appId, "runs", "of", workflowId, "last"],
    queryFn: ({ signal }) => client.with({ signal }).runs.listOfWorkflow(appId, workflowId, { take: 20 }),
  });
  return data?.items ?? [];
}
