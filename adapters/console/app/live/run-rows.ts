/** Changes runs in what has been read, in their place. */
import type { QueryKey } from "@tanstack/react-query";
import type { AppChange } from "../../../../src/app-stream/app-change.ts";
import type { RunSummary } from "../../../../src/runs/run.ts";
import { queryClient } from "../server/query-client.ts";
import { changeRead } from "./change-read.ts";

/** A run in a list. It stays in its place when it is deleted. */
export interface RunRow extends RunSummary {
  readonly isGone?: boolean;
}

/** What the stream said, and when: a response that was on its way then is older. */
interface Said {
  readonly row: Partial<RunRow>;
  readonly at: number;
}

const KEPT_MS = 60_000;
const said = new Map<string, Said>();

export function applyRunChanges(appId: string, changes: readonly AppChange[]): void {
  const rows = new Map<string, Partial<RunRow>>();
  for (const change of changes) {
    if (change.type === "run.created" || change.type === "run.changed") rows.set(change.id, change.run);
    if (change.type === "run.removed") rows.set(change.id, { isGone: true });
  }
  if (rows.size === 0) return;
  const at = performance.now();
  for (const [id, earlier] of said) if (at - earlier.at > KEPT_MS) said.delete(id);
  for (const [id, row] of rows) said.set(id, { row, at });
  changeRows(appId, rows);
}

/** Changes the rows of all lists of runs that have been read. */
export function changeRows(appId: string, rows: ReadonlyMap<string, Partial<RunRow>>): void {
  if (rows.size === 0) return;
  changeRead(queryClient, { queryKey: [appId, "runs"] }, (data) => withRows(data, rows));
}

/** Takes rows out of a list that has been read. */
export function filterRows(queryKey: QueryKey, isListed: (row: RunRow) => boolean): void {
  changeRead(queryClient, { queryKey, exact: true }, (data) =>
    withPages(data, (page) => (page.items.every(isListed) ? page : { ...page, items: page.items.filter(isListed) })),
  );
}

/** @param started When the page was asked for, as `performance.now()`. */
export function withNewer<Page extends { readonly items: readonly RunRow[] }>(page: Page, started: number): Page {
  const newer = new Map([...said].filter(([, { at }]) => at >= started).map(([id, { row }]) => [id, row]));
  return newer.size === 0 ? page : withItems(page, newer);
}

interface WithItems {
  readonly items: readonly RunRow[];
}

const isPage = (data: unknown): data is WithItems =>
  typeof data === "object" && data !== null && "items" in data && Array.isArray(data.items);

const isPages = (data: unknown): data is { readonly pages: readonly unknown[] } =>
  typeof data === "object" && data !== null && "pages" in data && Array.isArray(data.pages);

const withRows = (data: unknown, rows: ReadonlyMap<string, Partial<RunRow>>): unknown =>
  withPages(data, (page) => withItems(page, rows));

/** Returns the same data if none of its pages is changed. */
function withPages(data: unknown, change: (page: WithItems) => WithItems): unknown {
  if (isPage(data)) return change(data);
  if (!isPages(data)) return data;
  const pages = data.pages.map((page) => (isPage(page) ? change(page) : page));
  return pages.every((page, index) => page === data.pages[index]) ? data : { ...data, pages };
}

function withItems<Page extends WithItems>(page: Page, rows: ReadonlyMap<string, Partial<RunRow>>): Page {
  if (!page.items.some(({ id }) => rows.has(id))) return page;
  return { ...page, items: page.items.map((item) => ({ ...item, ...rows.get(item.id) })) };
}
