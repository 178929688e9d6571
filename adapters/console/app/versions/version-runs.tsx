/** How many runs a version has, and how many of them have failed: links to the list of these runs. */
import { useQuery } from "@tanstack/react-query";
import { createSemaphore } from "../../../../src/queues/semaphore.ts";
import { messageOf } from "../elements/problem-note.tsx";
import { useSeen } from "../elements/use-seen.ts";
import { Link } from "../routing/link.tsx";
import { client } from "../server/client.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

const REFRESH_MS = 15_000;
const KEPT_MS = 60_000;
/** The other requests of the page find a connection. */
const counting = createSemaphore(4);

interface RunCounts {
  readonly all: number;
  readonly failed: number;
}

/**
 * The server has the number of all. Those that have failed it counts, and remembers the numbers that it was asked for last:
 * fewer than a screen has rows.
 */
async function countRuns(appId: string, workflowId: string, version: number, signal: AbortSignal): Promise<RunCounts> {
  const { runs } = client.with({ signal });
  const { total: all = 0 } = await runs.list(appId, { workflow_id: workflowId, version, take: 1 });
  if (all === 0) return { all, failed: 0 };
  const failed = await runs.list(appId, { workflow_id: workflowId, version, status: "failed", take: 1 });
  return { all, failed: failed.total ?? 0 };
}

interface VersionRunsProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly version: number;
  readonly counted: keyof RunCounts;
  /** Whether they are counted again and again. Earlier versions have few new runs. */
  readonly isLive: boolean;
}

/** Only for those who may read runs. Nothing is asked for while it is not on the screen. */
export function VersionRuns({ appId, workflowId, version, counted, isLive }: VersionRunsProps) {
  const { versions: texts, statuses, general } = useTexts();
  const format = useFormat();
  const { ref, isSeen } = useSeen<HTMLSpanElement>();
  const {
    data: counts,
    error,
    isLoading,
  } = useQuery({
    // Not below the runs, of which each change would have all of them counted again.
    queryKey: [appId, "version-runs", workflowId, version],
    queryFn: ({ signal }) => counting.run(() => countRuns(appId, workflowId, version, signal)),
    enabled: isSeen,
    staleTime: KEPT_MS,
    refetchInterval: isLive ? REFRESH_MS : false,
  });
  const count = counts?.[counted];
  const isFailed = counted === "failed";
  const label = isFailed ? statuses.failed : texts.runsOf;
  const shown = count === undefined ? "" : textOf(counts, counted, format);
  const list = `/apps/${appId}/runs?workflow=${workflowId}&version=${version}${isFailed ? "&status=failed" : ""}`;
  return (
    <span ref={ref} className={isFailed ? "version-runs failed" : "version-runs"} aria-busy={isLoading}>
      {count === undefined && error !== null ? (
        <span title={messageOf(error, { ...general, offline: general.unreachable })}>–</span>
      ) : count === undefined ? (
        "\u00a0"
      ) : count === 0 ? (
        shown
      ) : (
        <Link to={list} aria-label={`${texts.version(version)}, ${label}: ${shown}`}>
          {shown}
        </Link>
      )}
    </span>
  );
}

function textOf(counts: RunCounts | undefined, counted: keyof RunCounts, format: ReturnType<typeof useFormat>): string {
  const { all, failed } = counts ?? { all: 0, failed: 0 };
  if (counted === "all") return format.number(all);
  return failed === 0 ? format.number(0) : `${format.number(failed)} (${format.percent(failed / all)})`;
}
