/** The exports of this page. They go on while other screens are shown. */
import { nanoid } from "nanoid";
import { useSyncExternalStore } from "react";
import type { RunListOptions } from "../../../../../../src/api/list-options.ts";
import { sleep } from "../../../../../../src/client/backoff.ts";
import { client } from "../../../server/client.ts";
import { serverNow } from "../../../server/clock.ts";
import { checkConnection, untilReached } from "../../../server/connection.ts";
import { onForget, settleBeforeForgetting } from "../../../session/kept-data.ts";
import { type RunFilters, selectionOf } from "../../filters/run-filters.ts";
import type { Selection } from "../../selection.ts";
import { openExportFile } from "./export-file.ts";
import { exportName } from "./export-name.ts";
import { exportRuns } from "./export-runs.ts";
import { readPatiently } from "./patient-read.ts";

const PAGE_SIZE = 100;
/** Problems that are shown one by one. */
const MAX_PROBLEMS = 100;
/** Between two changes of what is shown. */
const PROGRESS_MS = 500;

export interface RunExport {
  readonly id: string;
  readonly appId: string;
  readonly state: "running" | "stopped" | "finished";
  readonly done: number;
  readonly total: number | null;
  /** Runs that are not in the file. */
  readonly leftOut: number;
  /** The first of them. */
  readonly problems: readonly { readonly run_id: string; readonly error: unknown }[];
  /** What has ended it; null for nothing, or a person. */
  readonly error: unknown;
  readonly stop: () => void;
}

let shown: readonly RunExport[] = [];
const listeners = new Set<() => void>();

function show(next: readonly RunExport[]): void {
  const before = isAnyRunning();
  shown = next;
  if (isAnyRunning() && !before) addEventListener("beforeunload", askFirst);
  if (!isAnyRunning()) removeEventListener("beforeunload", askFirst);
  for (const listener of listeners) listener();
}

const isAnyRunning = () => shown.some(({ state }) => state === "running");
/** Without the page, there is no file. */
const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();

settleBeforeForgetting("exports", async () => !isAnyRunning());
onForget(async () => {
  for (const { stop } of shown) stop();
  show([]);
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useRunExports = (appId: string): readonly RunExport[] =>
  useSyncExternalStore(subscribe, () => shown).filter((one) => one.appId === appId);

/** Of any app: they share the connections to the server. */
export const useIsExporting = (): boolean => useSyncExternalStore(subscribe, isAnyRunning);

export const dismissExport = (id: string): void => show(shown.filter((one) => one.id !== id));

interface ExportPlan {
  readonly appId: string;
  readonly appName: string;
  readonly filters: RunFilters;
  readonly selection: Selection;
  /** Number of runs that match the filters, if it is known. */
  readonly total: number | undefined;
}

/** Call it while a click is handled. Resolves when the person has chosen a file, and it begins. */
export async function startExport({ appId, appName, filters, selection, total }: ExportPlan): Promise<void> {
  const { runs, isEverything } = selection;
  const now = serverNow();
  const file = await openExportFile(exportName(appName, now));
  if (file === null) return;
  const controller = new AbortController();
  const { signal } = controller;
  const id = nanoid();
  const stop = () => controller.abort();
  const count = isEverything ? (total ?? null) : runs.size;
  let latest: RunExport = {
    ...{ id, appId, state: "running", done: 0, total: count, leftOut: 0, problems: [], error: null, stop },
  };
  let shownAt = 0;
  const update = (changes: Partial<RunExport>) => {
    latest = { ...latest, ...changes };
    const isSoon = latest.state === "running" && performance.now() - shownAt < PROGRESS_MS;
    if (isSoon) return;
    shownAt = performance.now();
    show(shown.map((one) => (one.id === id ? latest : one)));
  };
  show([...shown, latest]);

  const reading = client.with({ signal }).runs;
  const patiently = <Answer>(read: () => Promise<Answer>) =>
    readPatiently(read, { check: checkConnection, untilReached, sleep }, signal);
  const list = (options: RunListOptions) => patiently(() => reading.list(appId, options));
  const exporting = exportRuns({
    ids: isEverything ? idsOf(selectionOf(filters, now), list) : [...runs.keys()],
    read: (runId) => patiently(() => reading.get(appId, runId)),
    write: (line) => file.write(line),
    onRun(runId, error) {
      const { done, leftOut, problems } = latest;
      if (error === null) return update({ done: done + 1 });
      const more = problems.length < MAX_PROBLEMS ? [...problems, { run_id: runId, error }] : problems;
      return update({ done: done + 1, leftOut: leftOut + 1, problems: more });
    },
    signal,
  });
  void exporting
    .then(() => file.close())
    .then(
      () => update({ state: "finished", total: latest.done }),
      async (error: unknown) => {
        update({ state: "stopped", error: signal.aborted ? null : error });
        // Runs may still be read for a file that cannot be written any more.
        controller.abort();
        await file.discard();
      },
    )
    // The file cannot be written to any more.
    .catch(() => undefined);
}

/** Page by page, so that no list of all has to be kept. */
async function* idsOf(
  filter: RunListOptions,
  list: (options: RunListOptions) => ReturnType<typeof client.runs.list>,
): AsyncGenerator<string> {
  let page = await list({ ...filter, take: PAGE_SIZE });
  while (true) {
    for (const { id } of page.items) yield id;
    if (!page.more || page.next_page_token === undefined) return;
    page = await list({ ...filter, take: PAGE_SIZE, page_token: page.next_page_token });
  }
}
