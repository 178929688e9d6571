/** The versions of a workflow. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Version } from "../../../../src/workflows/version.ts";
import { Button } from "../elements/controls/button.tsx";
import { Menu, type MenuItem } from "../elements/controls/menu.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { type Column, Table } from "../elements/lists/table.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { Day, Time } from "../elements/values/time.tsx";
import { Link } from "../routing/link.tsx";
import { navigate } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useMay, useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import type { Messages } from "../texts/messages.ts";
import { useWorkflow } from "../workflows/use-workflow.ts";
import { RollBackDialog } from "./roll-back-dialog.tsx";
import { VersionRuns } from "./version-runs.tsx";
import "./versions.css";

export default function VersionsScreen({ params: { app = "", workflow: workflowId = "" } }: ScreenProps) {
  const { versions: texts, general, statuses } = useTexts();
  const queries = useQueryClient();
  const [back, setBack] = useState<Version | null>(null);
  const mayReadRuns = useMay("runs:read");
  const base = `/apps/${app}/workflows/${workflowId}`;
  const workflow = useWorkflow(app, workflowId);
  const list = usePagedList<Version>({
    queryKey: [app, "workflows", workflowId, "versions"],
    read: (page_token, signal) =>
      client.with({ signal }).workflows.listVersions(app, workflowId, {
        take: 50,
        ...(page_token === undefined ? undefined : { page_token }),
      }),
  });
  const latest = workflow.data?.latest_version ?? null;
  const refusal = useScopeRefusal("workflows:write");
  return (
    <>
      <PageHead
        title={texts.title(workflow.data?.name ?? workflowId)}
        actions={
          <>
            {latest === null ? null : (
              <Button onClick={() => navigate(`${base}/versions/${latest}...draft`)}>{texts.compareWithDraft}</Button>
            )}
            <Button icon="edit" onClick={() => navigate(base)}>
              {texts.openDraft}
            </Button>
          </>
        }
      />
      <ListStates
        list={list}
        empty={
          <EmptyState title={texts.empty}>
            <p>{texts.emptyText}</p>
          </EmptyState>
        }
      >
        {(items) => (
          <Table
            label={texts.title(workflow.data?.name ?? workflowId)}
            columns={columnsOf({
              texts,
              statuses,
              mayReadRuns,
              base,
              latest,
              versions: items,
            })}
            items={items}
            keyOf={({ id }) => id}
            actions={(version) => (
              <Menu
                isInRow
                label={`${general.more}: ${texts.version(version.version)}`}
                items={actionsOf(version, { texts, base, latest, refusal, onBack: setBack, workflowId })}
              />
            )}
          />
        )}
      </ListStates>
      {back === null || latest === null ? null : (
        <RollBackDialog
          appId={app}
          workflowId={workflowId}
          name={workflow.data?.name ?? ""}
          version={back}
          latest={latest}
          onDone={() => void queries.invalidateQueries({ queryKey: [app, "workflows"] })}
          onClose={() => setBack(null)}
        />
      )}
    </>
  );
}

interface NotesProps {
  readonly version: Version;
  readonly versions: readonly Version[];
}

/** A rollback takes over the notes of the earlier version, unless others are given. */
function Notes({ version: { notes, rollback_version }, versions }: NotesProps) {
  const { versions: texts } = useTexts();
  const source = versions.find(({ version }) => version === rollback_version);
  const isTakenOver = source !== undefined && notes !== null && source.notes === notes;
  return (
    <span className="version-notes">
      {isTakenOver ? <span className="soft">{texts.notesOf(source.version)} </span> : null}
      <bdi>{notes}</bdi>
    </span>
  );
}

interface ColumnParts {
  readonly texts: Messages["versions"];
  readonly statuses: Messages["statuses"];
  readonly mayReadRuns: boolean;
  readonly base: string;
  readonly latest: number | null;
  readonly versions: readonly Version[];
}

function columnsOf({ texts, statuses, mayReadRuns, base, latest, versions }: ColumnParts): readonly Column<Version>[] {
  const author: Column<Version> = {
    name: "by",
    label: texts.by,
    cell: ({ created_by }) => <bdi>{created_by?.name ?? created_by?.id ?? ""}</bdi>,
  };
  const runs = (counted: "all" | "failed", label: string): Column<Version> => ({
    name: counted,
    label,
    cell: ({ app_id, workflow_id, version }) => (
      <VersionRuns
        appId={app_id}
        workflowId={workflow_id}
        version={version}
        counted={counted}
        isLive={version === latest}
      />
    ),
  });
  return [
    {
      name: "version",
      label: texts.number,
      isHeader: true,
      cell: ({ version, rollback_version }) => (
        <span className="version-cell">
          <Link to={`${base}/versions/${version}`}>{texts.version(version)}</Link>
          {version === latest ? <span className="version-mark">{texts.latest}</span> : null}
          {rollback_version === undefined ? null : (
            <span className="version-mark">{texts.rolledBack(rollback_version)}</span>
          )}
        </span>
      ),
    },
    {
      name: "notes",
      label: texts.notes,
      cell: (version) => <Notes version={version} versions={versions} />,
    },
    // Who deploys in process has no name.
    ...(versions.some(({ created_by }) => created_by !== undefined) ? [author] : []),
    {
      name: "date",
      label: texts.date,
      cell: ({ created_at, deployed_at }) =>
        deployed_at !== undefined ? <Time at={deployed_at} /> : created_at === null ? null : <Day on={created_at} />,
    },
    ...(mayReadRuns ? [runs("all", texts.runsOf), runs("failed", statuses.failed)] : []),
  ];
}

interface ActionParts extends Pick<ColumnParts, "texts" | "base" | "latest"> {
  readonly workflowId: string;
  readonly refusal: string | undefined;
  readonly onBack: (version: Version) => void;
}

function actionsOf(version: Version, { texts, base, latest, refusal, onBack, workflowId }: ActionParts): MenuItem[] {
  const number = version.version;
  const compare = (label: string, from: number, to: number | "latest" | "draft"): MenuItem => ({
    label,
    icon: "history",
    onChoose: () => navigate(`${base}/versions/${from}...${to}`),
  });
  const items = [compare(texts.compareWithDraft, number, "draft")];
  if (number > 1) items.unshift(compare(texts.compareWithBefore, number - 1, number));
  if (number !== latest) {
    items.push(compare(texts.compareWithLatest, number, "latest"));
    items.push({ label: texts.rollBack, icon: "undo", refusal, onChoose: () => onBack(version) });
  }
  const runs = `/apps/${version.app_id}/runs?workflow=${workflowId}&version=${number}`;
  items.push({ label: texts.runsOf, icon: "runs", onChoose: () => navigate(runs) });
  return items;
}
