/** Starts a run: the form of a version, beside it the same call for programs. */
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Run } from "../../../../src/runs/run.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { Button } from "../elements/controls/button.tsx";
import { Loading } from "../elements/loading.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { Link } from "../routing/link.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { readVersion } from "../workflows/read-version.ts";
import { useWorkflow } from "../workflows/use-workflow.ts";
import { RunForm } from "./run-form.tsx";
import type { TypedRun } from "./use-run-forms.ts";
import "./new-run.css";

export default function NewRunScreen({ params: { app = "", workflow = "" } }: ScreenProps) {
  const { newRun } = useTexts();
  const [query] = useQueryParams();
  const wanted = query.get("version");
  const from = query.get("from");
  const start = query.get("start");
  const last = useRef<TypedRun | null>(null);
  const about = useWorkflow(app, workflow);
  const version = useVersion(app, workflow, wanted);
  const earlier = useQuery({
    // The page of the run reads only the start of long values.
    queryKey: [app, "runs", from, "whole"],
    queryFn: ({ signal }) => client.with({ signal }).runs.get(app, from ?? ""),
    enabled: from !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const name = about.data?.name;
  const found = version.data;
  const newer = found === undefined ? null : newerThan(found, wanted, about.data?.latest_version ?? null);
  const error = version.error ?? earlier.error;
  return (
    <div className="new-run">
      <PageHead
        title={name === undefined ? newRun.title : newRun.titleOf(name)}
        below={
          <>
            <Link to={`/apps/${app}/workflows/${workflow}`}>{name ?? workflow}</Link>
            {from === null ? null : (
              <>
                {" · "}
                {newRun.fromRun} <Link to={`/apps/${app}/runs/${from}`}>{from}</Link>
              </>
            )}
          </>
        }
      />
      {error === null ? null : <ProblemNote error={error} onRetry={() => void version.refetch()} />}
      {found === undefined || (from !== null && earlier.data === undefined) ? (
        error === null && <Loading />
      ) : (
        <>
          {found.isDraftInstead ? <p role="status">{newRun.notDeployed}</p> : null}
          {newer === null ? null : (
            <p className="newer-version" role="status">
              {newRun.newer(newer)} <Button onClick={() => void version.refetch()}>{newRun.takeNewer}</Button>
            </p>
          )}
          <RunForm
            key={formKey(found.version, start, earlier.data)}
            appId={app}
            workflowId={workflow}
            version={found.version}
            wanted={shownAs(found, wanted, newer)}
            start={start}
            earlier={earlier.data ?? null}
            last={last}
            onLatest={() => {
              if (newer !== null) void version.refetch();
            }}
          />
        </>
      )}
    </div>
  );
}

interface FoundVersion {
  readonly version: Version;
  readonly isDraftInstead: boolean;
}

/** Another version or another start step is another form. */
const formKey = ({ id, version }: Version, start: string | null, earlier: Run | undefined) =>
  `${id} ${version} ${start ?? ""} ${earlier?.id ?? ""}`;

/** The version that has been deployed since, if the latest one is wanted: the form stays as it is until somebody takes it. */
function newerThan({ version, isDraftInstead }: FoundVersion, wanted: string | null, latest: number | null) {
  if ((wanted ?? "latest") !== "latest" || latest === null) return null;
  return isDraftInstead || latest > version.version ? latest : null;
}

/** A version is called the latest one only as long as it is. */
function shownAs({ version, isDraftInstead }: FoundVersion, wanted: string | null, newer: number | null): string {
  if (isDraftInstead) return "draft";
  return newer === null ? (wanted ?? "latest") : String(version.version);
}

/** Without a deployed version, there is the draft. */
function useVersion(app: string, workflow: string, wanted: string | null) {
  return useQuery({
    queryKey: [app, "workflows", workflow, "versions", wanted ?? "latest", "form"],
    queryFn: async ({ signal }): Promise<FoundVersion> => {
      const version = await readVersion({ appId: app, workflowId: workflow, version: wanted ?? "latest", signal });
      if (version !== null) return { version, isDraftInstead: false };
      const { workflows } = client.with({ signal });
      return { version: await workflows.getVersion(app, workflow, "draft"), isDraftInstead: true };
    },
    // The form must not change while somebody fills it in.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}
