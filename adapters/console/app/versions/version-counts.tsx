/** The runs of one version, beside its title. */
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { VersionRuns } from "./version-runs.tsx";

interface VersionCountsProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly version: number;
  readonly isLatest: boolean;
}

export function VersionCounts({ appId, workflowId, version, isLatest }: VersionCountsProps) {
  const { versions: texts, statuses } = useTexts();
  const mayReadRuns = useMay("runs:read");
  if (!mayReadRuns) return null;
  const shared = { appId, workflowId, version, isLive: isLatest };
  return (
    <dl className="version-counts">
      <div>
        <dt>{texts.runsOf}</dt>
        <dd>
          <VersionRuns {...shared} counted="all" />
        </dd>
      </div>
      <div>
        <dt>{statuses.failed}</dt>
        <dd>
          <VersionRuns {...shared} counted="failed" />
        </dd>
      </div>
    </dl>
  );
}
