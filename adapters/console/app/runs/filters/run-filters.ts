/** The filters of the list of runs, as its address says them. */
import type { RunFilterOptions, RunListOptions } from "../../../../../src/api/list-options.ts";
import { omitUndefined } from "../../../../../src/json.ts";
import type { RunStatus } from "../../../../../src/runs/run.ts";
import type { TriggerType } from "../../../../../src/runs/run-labels.ts";

/** Stands for all triggers but tests of steps. */
export const NO_TESTS = "no-tests";
export type TriggerFilter = TriggerType | typeof NO_TESTS;

export interface RunFilters {
  readonly status: readonly RunStatus[];
  readonly workflow: string | null;
  readonly version: number | null;
  readonly trigger: TriggerFilter | null;
  /** A span before now, such as `24h`, or an instant. */
  readonly from: string | null;
  /** An instant. */
  readonly to: string | null;
  readonly search: string;
}

export const UNFILTERED: RunFilters = {
  status: [],
  workflow: null,
  version: null,
  trigger: null,
  from: null,
  to: null,
  search: "",
};

/** Records list each value, so that a new one is a compile error here. */
const STATUSES: Readonly<Record<RunStatus, true>> = {
  queued: true,
  running: true,
  waiting: true,
  succeeded: true,
  failed: true,
  canceled: true,
};
const TRIGGERS: Readonly<Record<TriggerType, true>> = {
  api: true,
  console: true,
  schedule: true,
  webhook: true,
  form: true,
  event: true,
  rule: true,
  workflow: true,
  failure: true,
  replay: true,
  mcp: true,
  test: true,
};
const namesOf = <Name extends string>(all: Readonly<Record<Name, true>>) => Object.keys(all) as Name[]; // by their type

export const RUN_STATUSES = namesOf(STATUSES);
const TRIGGER_TYPES = namesOf(TRIGGERS);
export const TRIGGERS_BUT_TESTS = TRIGGER_TYPES.filter((one) => one !== "test");
export const TRIGGER_FILTERS: readonly TriggerFilter[] = [NO_TESTS, ...TRIGGER_TYPES];

const HOUR_MS = 3_600_000;
export const SPANS = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 7 * 24 * HOUR_MS, "30d": 30 * 24 * HOUR_MS } as const;
export type Span = keyof typeof SPANS;

export const isSpan = (text: string | null): text is Span => text !== null && Object.hasOwn(SPANS, text);

/** What is wrong in an address is left out. */
export function filtersOf(params: URLSearchParams): RunFilters {
  const status = (params.get("status") ?? "").split(",");
  const version = params.get("version") ?? "";
  const from = params.get("from");
  return {
    status: RUN_STATUSES.filter((one) => status.includes(one)),
    workflow: params.get("workflow"),
    version: /^\d{1,9}$/.test(version) ? Number(version) : null,
    trigger: TRIGGER_FILTERS.find((one) => one === params.get("trigger")) ?? null,
    from: isSpan(from) ? from : instantOf(from),
    to: instantOf(params.get("to")),
    search: params.get("search") ?? "",
  };
}

function instantOf(text: string | null): string | null {
  const moment = Date.parse(text ?? "");
  return Number.isNaN(moment) ? null : new Date(moment).toISOString();
}

export function isFiltered({ status, workflow, version, trigger, from, to, search }: RunFilters): boolean {
  return status.length > 0 || search !== "" || [workflow, version, trigger, from, to].some((one) => one !== null);
}

/** Each changed filter, as parts of the address. */
export function addressOf(changes: Partial<RunFilters>): Readonly<Record<string, string | null>> {
  const texts = Object.entries(changes).map(([name, value]): [string, string | null] => {
    if (Array.isArray(value)) return [name, value.length === 0 ? null : value.join(",")];
    return [name, value === null ? null : String(value)];
  });
  return Object.fromEntries(texts);
}

/** @param now Milliseconds: spans end there. */
export function selectionOf(filters: RunFilters, now: number): RunFilterOptions & Pick<RunListOptions, "workflow_id"> {
  const { status, workflow, version, trigger, from, to, search } = filters;
  return omitUndefined({
    status: status.length === 0 ? undefined : status,
    workflow_id: workflow ?? undefined,
    version: version ?? undefined,
    trigger: trigger === NO_TESTS ? TRIGGERS_BUT_TESTS : (trigger ?? undefined),
    created_after: isSpan(from) ? new Date(now - SPANS[from]).toISOString() : (from ?? undefined),
    created_before: to ?? undefined,
    search: search === "" ? undefined : search,
  });
}
