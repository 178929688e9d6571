/** The records of a collection. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import { type CollectionRecord, RULE_OUTCOMES } from "../../../../src/collections/records/record.ts";
import { omitUndefined } from "../../../../src/json.ts";
import { useCollectionRefusal } from "../collections/collection-refusal.ts";
import { DeletedNote } from "../collections/deleted-note.tsx";
import { Button } from "../elements/controls/button.tsx";
import { LinkButton } from "../elements/controls/link-button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { SearchField } from "../elements/fields/search-field.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { type PagedList, usePagedList } from "../elements/lists/paged-list.ts";
import { Loaded } from "../elements/loaded.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { navigate, useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useTags } from "../tags/tag-picker.tsx";
import { isolateTurning } from "../texts/isolate.ts";
import { useTexts } from "../texts/language.ts";
import { EvaluateDialog } from "./evaluate-dialog.tsx";
import { ImportDialog } from "./import/import-dialog.tsx";
import { JobDialog } from "./job-dialog.tsx";
import { RecordDialog } from "./record-dialog.tsx";
import { RecordTable } from "./record-table.tsx";
import { useExport } from "./use-export.tsx";
import "./records-screen.css";

export default function RecordsScreen({ params: { app = "", collection: id = "" } }: ScreenProps) {
  const found = useQuery({
    queryKey: [app, "collections", "one", id],
    queryFn: ({ signal }) => client.with({ signal }).collections.get(app, id),
    ...LIVE_QUERY,
  });
  return (
    <Loaded query={found} screen={{ appId: app, section: "collections" }}>
      {(collection) => <Records appId={app} collection={collection} />}
    </Loaded>
  );
}

interface RecordsProps {
  readonly appId: string;
  readonly collection: Collection;
}

/** A job of which the progress is shown. */
interface ShownJob {
  readonly id: string;
  /** Number of its items; null if it is not known here. */
  readonly total: number | null;
  readonly kind: "import" | "evaluate";
}

function Records({ appId, collection }: RecordsProps) {
  const { collections: names, records: texts, general } = useTexts();
  const queries = useQueryClient();
  const filters = useFilters();
  const [open, setOpen] = useState<"new" | ShownJob["kind"] | null>(null);
  const [job, setJob] = useState<ShownJob | null>(null);
  const refusal = useCollectionRefusal(collection);
  const list = usePagedList({
    queryKey: [appId, "records", collection.id, filters.query],
    isLive: true,
    read: (page_token, signal) =>
      client.with({ signal }).records.list(appId, collection.id, {
        take: 50,
        ...filters.query,
        ...omitUndefined({ page_token }),
      }),
  });
  const exporting = useExport(appId, collection, filters.query);
  const reload = useCallback(() => {
    void queries.invalidateQueries({ queryKey: [appId, "records", collection.id] });
    void queries.invalidateQueries({ queryKey: [appId, "collections"] });
  }, [queries, appId, collection.id]);
  const rules = collection.config.rules.filter(({ disabled }) => !disabled).length;
  const createButton = (
    <Button kind="primary" icon="plus" refusal={refusal} onClick={() => setOpen("new")}>
      {texts.create}
    </Button>
  );
  return (
    <div className="records-screen">
      <PageHead
        title={collection.name}
        below={names.records(collection.records_count)}
        actions={
          <>
            {createButton}
            <Menu
              label={general.more}
              items={[
                { label: texts.openImport, icon: "upload", refusal, onChoose: () => setOpen("import") },
                { label: texts.export, icon: "download", onChoose: () => exporting.start("csv") },
                { label: texts.exportLines, icon: "download", onChoose: () => exporting.start("jsonl") },
                {
                  label: texts.evaluateAll,
                  icon: "runs",
                  refusal: refusal ?? (rules === 0 ? names.noRules : undefined),
                  onChoose: () => setOpen("evaluate"),
                },
                {
                  label: names.settings,
                  icon: "settings",
                  onChoose: () => navigate(`/apps/${appId}/collections/${collection.id}/settings`),
                },
              ]}
            />
          </>
        }
      />
      <DeletedNote appId={appId} collection={collection} />
      {exporting.note}
      <Filters appId={appId} collection={collection} filters={filters} />
      <ListStates
        list={list}
        empty={
          filters.isAny ? (
            <EmptyState title={texts.noneFound} />
          ) : (
            <EmptyState title={texts.empty}>
              {createButton}
              <Button icon="upload" refusal={refusal} onClick={() => setOpen("import")}>
                {texts.openImport}
              </Button>
              <LinkButton icon="settings" to={`/apps/${appId}/collections/${collection.id}/settings`}>
                {names.settings}
              </LinkButton>
            </EmptyState>
          )
        }
      >
        {(records) => <RecordTable appId={appId} collection={collection} records={records} />}
      </ListStates>
      {open === null ? null : (
        <RecordsDialog
          {...{ appId, collection, filters, list, onStarted: setJob }}
          kind={open}
          onSaved={reload}
          onClose={() => setOpen(null)}
        />
      )}
      {job === null ? null : (
        <JobDialog
          {...{ appId, kind: job.kind, total: job.total }}
          jobId={job.id}
          onEnd={reload}
          onClose={() => setJob(null)}
        />
      )}
    </div>
  );
}

interface RecordsDialogProps extends FiltersProps {
  readonly kind: "new" | ShownJob["kind"];
  readonly list: PagedList<CollectionRecord>;
  readonly onSaved: () => void;
  readonly onStarted: (job: ShownJob) => void;
  readonly onClose: () => void;
}

function RecordsDialog({ kind, appId, collection, filters, list, onSaved, onStarted, onClose }: RecordsDialogProps) {
  const about = { appId, collectionId: collection.id, onClose };
  switch (kind) {
    case "new":
      return <RecordDialog {...about} others={list.items} onSaved={onSaved} />;
    case "import":
      return (
        <ImportDialog
          {...{ appId, collection, onClose }}
          records={list.items}
          onStarted={(id, rows) => onStarted({ id, kind, total: rows })}
        />
      );
    case "evaluate":
      return (
        <EvaluateDialog
          appId={appId}
          collection={collection}
          query={filters.query}
          records={filters.isAny ? (list.hasMore ? null : list.items.length) : collection.records_count}
          onStarted={(id) => onStarted({ id, kind, total: null })}
          onClose={onClose}
        />
      );
  }
}

/** The filters of the address. */
function useFilters() {
  const [params, change] = useQueryParams();
  const [search, tags, rule] = [params.get("search") ?? "", params.get("tags") ?? "", params.get("rule") ?? ""];
  const [key = "", outcome = ""] = rule.split(":");
  const result = RULE_OUTCOMES.find((one) => one === outcome);
  const query = omitUndefined({
    search: search === "" ? undefined : search,
    tags: tags === "" ? undefined : tags.split(","),
    rule_result: result === undefined ? undefined : { [key]: result },
  });
  return { search, tags, rule, query, isAny: search !== "" || tags !== "" || rule !== "", change };
}

interface FiltersProps extends RecordsProps {
  readonly filters: ReturnType<typeof useFilters>;
}

function Filters({ appId, collection, filters }: FiltersProps) {
  const { records: texts } = useTexts();
  const tags = useTags(appId);
  return (
    <div className="filters">
      <SearchField value={filters.search} onChange={(search) => filters.change({ search }, { replace: true })} />
      {tags.length === 0 ? null : (
        <select
          aria-label={texts.tags}
          value={filters.tags}
          onChange={({ target }) => filters.change({ tags: target.value })}
        >
          <option value="">{texts.allTags}</option>
          {tags.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {collection.config.rules.length === 0 ? null : (
        <select
          aria-label={texts.rule}
          value={filters.rule}
          onChange={({ target }) => filters.change({ rule: target.value })}
        >
          <option value="">{texts.anyRule}</option>
          {collection.config.rules.map(({ key, name }) => (
            <optgroup key={key} label={name}>
              {RULE_OUTCOMES.map((outcome) => (
                <option key={outcome} value={`${key}:${outcome}`}>
                  {isolateTurning(name)}: {texts.outcomes[outcome]}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </div>
  );
}
