/** The workflows of an app. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { Button } from "../elements/controls/button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { Icon } from "../elements/icons.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { type Column, Table } from "../elements/lists/table.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { useSeen } from "../elements/use-seen.ts";
import { SEARCH_PATIENCE_MS, useSettled } from "../elements/use-settled.ts";
import { StatusSign } from "../elements/values/status-sign.tsx";
import { Time } from "../elements/values/time.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
import { LIVE_QUERY } from "../live/live-query.ts";
import { Link } from "../routing/link.tsx";
import { navigate, useNavigateFromHere, useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useMay, useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import type { Messages } from "../texts/messages.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { NewWorkflowDialog } from "./new-workflow-dialog.tsx";
import "./workflows-screen.css";

type Asked =
  | { readonly kind: "new" }
  | { readonly kind: "import" }
  | { readonly kind: "duplicate"; readonly workflow: Workflow }
  | { readonly kind: "delete"; readonly workflow: Workflow };

export default function WorkflowsScreen({ params: { app = "" } }: ScreenProps) {
  const { workflows: texts, general } = useTexts();
  const [params, setParams] = useQueryParams();
  const search = params.get("search") ?? "";
  const sent = useSettled(search.trim(), SEARCH_PATIENCE_MS);
  const [asked, setAsked] = useState<Asked | null>(
    params.has("new") ? { kind: "new" } : params.has("import") ? { kind: "import" } : null,
  );
  const list = usePagedList<Workflow>({
    queryKey: [app, "workflows", "list", sent],
    read: (page_token, signal) =>
      client.with({ signal }).workflows.list(app, {
        take: 50,
        ...(sent === "" ? undefined : { search: sent }),
        ...(page_token === undefined ? undefined : { page_token }),
      }),
    isLive: true,
  });
  const refusal = useScopeRefusal("workflows:write");
  const buttons = (
    <>
      <Button icon="upload" refusal={refusal} onClick={() => setAsked({ kind: "import" })}>
        {texts.import}
      </Button>
      <Button kind="primary" icon="plus" refusal={refusal} onClick={() => setAsked({ kind: "new" })}>
        {texts.newWorkflow}
      </Button>
    </>
  );
  return (
    <>
      <PageHead title={texts.title} actions={buttons} />
      <div className="workflow-search">
        <input
          type="search"
          aria-label={texts.searchLabel}
          placeholder={texts.searchLabel}
          value={search}
          onChange={({ target }) => setParams({ search: target.value }, { replace: true })}
        />
      </div>
      <ListStates
        list={list}
        empty={
          sent === "" ? (
            <EmptyState title={texts.empty}>
              <p>{texts.emptyText}</p>
              <div className="workflow-empty">{buttons}</div>
            </EmptyState>
          ) : (
            <EmptyState title={texts.noMatch} />
          )
        }
      >
        {(items) => (
          <Table
            label={texts.title}
            columns={columnsOf({ texts, general, appId: app })}
            items={items}
            keyOf={({ id }) => id}
            actions={(workflow) => <WorkflowMenu appId={app} workflow={workflow} refusal={refusal} ask={setAsked} />}
          />
        )}
      </ListStates>
      {asked === null ? null : <Dialogs appId={app} asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Dialogs({
  appId,
  asked,
  onClose,
}: {
  readonly appId: string;
  readonly asked: Asked;
  readonly onClose: () => void;
}) {
  const navigateFromHere = useNavigateFromHere();
  const queries = useQueryClient();
  const { workflows: texts } = useTexts();
  const changed = () => queries.invalidateQueries({ queryKey: [appId, "workflows"] });
  const open = (id: string | null) => {
    void changed();
    if (id !== null) navigateFromHere(`/apps/${appId}/workflows/${id}`);
  };
  if (asked.kind === "new") return <NewWorkflowDialog appId={appId} onCreated={open} onClose={onClose} />;
  if (asked.kind === "duplicate")
    return <NewWorkflowDialog appId={appId} from={asked.workflow} onCreated={open} onClose={onClose} />;
  if (asked.kind === "import") return <ImportDialog appId={appId} onImported={open} onClose={onClose} />;
  const { id, name } = asked.workflow;
  return (
    <DeleteDialog
      appId={appId}
      name={name}
      text={texts.deleteText}
      usedText={texts.usedText}
      onClose={onClose}
      onDelete={async (force) => {
        await client.workflows.remove(appId, id, { force });
        void changed();
      }}
    />
  );
}

interface ColumnParts {
  readonly texts: Messages["workflows"];
  readonly general: Messages["general"];
  readonly appId: string;
}

function columnsOf({ texts, general, appId }: ColumnParts): readonly Column<Workflow>[] {
  const base = (id: string) => `/apps/${appId}/workflows/${id}`;
  return [
    {
      name: "name",
      label: general.name,
      isHeader: true,
      cell: ({ id, name, description, tool }) => (
        <span className="workflow-cell">
          <span>
            <Link to={base(id)}>
              <bdi>{nameOr(name, id)}</bdi>
            </Link>{" "}
            {tool === null ? null : (
              <span className="workflow-tool" title={texts.isTool}>
                <Icon name="bolt" size={14} />
                <span className="visually-hidden">{texts.isTool}</span>
              </span>
            )}
          </span>
          {description === null || description === "" ? null : (
            <bdi className="workflow-description">{description}</bdi>
          )}
        </span>
      ),
    },
    {
      name: "version",
      label: texts.version,
      cell: ({ id, latest_version }) =>
        latest_version === null ? (
          <span className="soft">{texts.notDeployed}</span>
        ) : (
          <Link to={`${base(id)}/versions`}>{texts.versionNumber(latest_version)}</Link>
        ),
    },
    { name: "run", label: texts.lastRun, cell: ({ id }) => <LastRun appId={appId} workflowId={id} /> },
    { name: "created", label: general.created, cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

interface WorkflowMenuProps {
  readonly appId: string;
  readonly workflow: Workflow;
  readonly refusal: string | undefined;
  readonly ask: (asked: Asked) => void;
}

function WorkflowMenu({ appId, workflow, refusal, ask }: WorkflowMenuProps) {
  const { workflows: texts, general } = useTexts();
  const runRefusal = useScopeRefusal("runs:write");
  const runsRefusal = useScopeRefusal("runs:read");
  const base = `/apps/${appId}/workflows/${workflow.id}`;
  return (
    <Menu
      isInRow
      label={texts.actionsOf(workflow.name)}
      items={[
        { label: texts.run, icon: "runs", refusal: runRefusal, onChoose: () => navigate(`${base}/new-run`) },
        {
          label: texts.openRuns,
          icon: "runs",
          refusal: runsRefusal,
          onChoose: () => navigate(`/apps/${appId}/runs?workflow=${workflow.id}`),
        },
        { label: texts.openVersions, icon: "history", onChoose: () => navigate(`${base}/versions`) },
        { label: texts.duplicate, icon: "copy", refusal, onChoose: () => ask({ kind: "duplicate", workflow }) },
        {
          label: general.delete,
          icon: "trash",
          isDangerous: true,
          refusal,
          onChoose: () => ask({ kind: "delete", workflow }),
        },
      ]}
    />
  );
}

/** One row of a list that the server keeps sorted. It is read when it is seen: fifty requests would delay the page. */
function LastRun({ appId, workflowId }: { readonly appId: string; readonly workflowId: string }) {
  const { workflows: texts } = useTexts();
  const may = useMay("runs:read");
  const { ref, isSeen } = useSeen<HTMLSpanElement>();
  const found = useQuery({
    queryKey: [appId, "runs", "last", workflowId],
    queryFn: ({ signal }) => client.with({ signal }).runs.list(appId, { workflow_id: workflowId, take: 1 }),
    enabled: may && isSeen,
    ...LIVE_QUERY,
    refetchInterval: 15_000,
  });
  const run = found.data?.items[0];
  return (
    <span ref={ref} className={run === undefined ? "last-run soft" : "last-run"}>
      {run === undefined ? (
        // A cell without a text is left out of a card: it would never be seen.
        (found.data !== undefined && texts.noRun) || (may && "\u00a0")
      ) : (
        <>
          <StatusSign status={run.status} />{" "}
          <Link to={`/apps/${appId}/runs/${run.id}`}>
            <Time at={run.created_at} />
          </Link>
        </>
      )}
    </span>
  );
}
