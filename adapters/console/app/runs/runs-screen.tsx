/** The list of runs, with its filters in the address. */
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { Loading } from "../elements/loading.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useAppName } from "../frame/app-name.tsx";
import { Link } from "../routing/link.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { useTexts } from "../texts/language.ts";
import { BulkBar } from "./bulk/bulk-bar.tsx";
import { focusJob, JobProgress } from "./bulk/bulk-progress.tsx";
import { ExportProgress } from "./bulk/export/export-progress.tsx";
import { startExport } from "./bulk/export/run-exports.ts";
import { useBulk } from "./bulk/use-bulk.ts";
import { useRoomForBar } from "./bulk/use-room-for-bar.ts";
import { FilterBar } from "./filters/filter-bar.tsx";
import { addressOf, filtersOf, isFiltered, type RunFilters, UNFILTERED } from "./filters/run-filters.ts";
import { IdsForNames } from "./ids-for-names.tsx";
import { PAGE_SIZE, type RunList, useRunList, useShownPage } from "./run-list.ts";
import { RunTable } from "./run-table.tsx";
import { NOTHING, type Selection, without } from "./selection.ts";
import { useSaidCount } from "./use-said-count.ts";
import "./runs-screen.css";

export default function RunsScreen({ params: { app = "" } }: ScreenProps) {
  const { runs: texts } = useTexts();
  const [query, change] = useQueryParams();
  const filters = filtersOf(query);
  const list = useRunList(app, filters);
  const [selection, setSelection] = useSelection(query.toString());
  const [firstShown, setFirstShown] = useState(0);
  const bulk = useBulk(app, filters, (ids) => setSelection((before) => without(before, ids)));
  const progress = useRef<HTMLDivElement>(null);
  useRoomForBar(progress, "--bulk-progress");
  const appName = useAppName(app) ?? app;
  const [started, setStarted] = useState<string | null>(null);
  useLayoutEffect(() => focusJob(started), [started]);
  useSaidCount(filters, list);
  useShownPage(app, filters, list, firstShown);

  const onFilter = useCallback(
    (changes: Partial<RunFilters>, isTyping = false) => change(addressOf(changes), { replace: isTyping }),
    [change],
  );
  const isAnySelected = selection.isEverything || selection.runs.size > 0;
  return (
    <div className="runs-screen">
      <PageHead
        title={texts.title}
        beside={list.total === undefined ? null : <span className="total">{texts.matching(list.total)}</span>}
      />
      <IdsForNames />
      <FilterBar appId={app} filters={filters} onChange={onFilter} />
      <div ref={progress} className="bulk-progresses">
        {bulk.jobs.map((job) => (
          <JobProgress
            key={job.id}
            appId={app}
            job={job}
            onEnd={bulk.readAgain}
            onDismiss={() => bulk.dismiss(job.id)}
          />
        ))}
        <ExportProgress appId={app} />
      </div>
      <Fresh list={list} isQuiet={isAnySelected} />
      <Rows appId={app} list={list} filters={filters} onFilter={onFilter}>
        {(rows) => (
          <RunTable {...{ appId: app, list: rows, selection }} onSelect={setSelection} onShow={setFirstShown} />
        )}
      </Rows>
      {isAnySelected ? (
        <BulkBar
          list={list}
          selection={selection}
          onSelectEverything={() => setSelection((before) => ({ ...before, isEverything: true }))}
          onClear={() => setSelection(() => NOTHING)}
          onAct={async (action) => {
            const job = await bulk.act(action, selection);
            setSelection(() => NOTHING);
            setStarted(job);
          }}
          // They stay selected: what is exported may be deleted next.
          onExport={() => startExport({ appId: app, appName, filters, selection, total: list.total })}
        />
      ) : null}
    </div>
  );
}

/** What is selected belongs to the filters of an address. */
function useSelection(address: string) {
  const [{ selection, of }, set] = useState({ selection: NOTHING, of: address });
  const setSelection = useCallback(
    (change: (before: Selection) => Selection) =>
      set((before) => ({ selection: change(before.of === address ? before.selection : NOTHING), of: address })),
    [address],
  );
  return [of === address ? selection : NOTHING, setSelection] as const;
}

interface RowsProps {
  readonly appId: string;
  readonly list: RunList;
  readonly filters: RunFilters;
  readonly onFilter: (changes: Partial<RunFilters>) => void;
  readonly children: (list: RunList) => ReactNode;
}

function Rows({ appId, list, filters, onFilter, children }: RowsProps) {
  const { runs: texts } = useTexts();
  const { rows, isLoading, error, reload, hasMore } = list;
  if (isLoading) return <Loading />;
  if (error !== null && rows.length === 0) return <ProblemNote error={error} onRetry={reload} />;
  if (rows.length > 0 || hasMore) {
    return (
      <>
        {error === null ? null : <ProblemNote error={error} onRetry={reload} />}
        {children(list)}
      </>
    );
  }
  if (isFiltered(filters)) {
    return (
      <EmptyState title={texts.emptyFiltered}>
        <Button onClick={() => onFilter(UNFILTERED)}>{texts.clear}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={texts.empty}>
      <p>{texts.emptyText}</p>
      <Link to={`/apps/${appId}/workflows`}>{texts.openWorkflows}</Link>
    </EmptyState>
  );
}

/** New runs: shown at once to somebody at the top of the list who is not busy with it, else counted. */
function Fresh({
  list: { fresh, showFresh, isStale },
  isQuiet,
}: {
  readonly list: RunList;
  readonly isQuiet: boolean;
}) {
  const { runs: texts } = useTexts();
  useEffect(() => {
    if (fresh === 0 || isStale || isQuiet || scrollY > 0) return;
    if (document.activeElement?.closest(".run-table") == null) showFresh();
  });
  return (
    <p className="fresh" role="status">
      {fresh === 0 ? null : (
        <button
          type="button"
          className="button"
          aria-label={texts.freshLong(fresh)}
          onClick={() => {
            showFresh();
            scrollTo({ top: 0 });
          }}
        >
          {texts.fresh(fresh, fresh >= PAGE_SIZE)}
        </button>
      )}
    </p>
  );
}
