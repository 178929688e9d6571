/** The query of a list of runs. */
import * as v from "valibot";
import { bracketMap } from "../documents/bracket-map.ts";
import { multipleValues, pageQuery, searchQuery, tokenQuery } from "../documents/pagination.ts";
import { invalid } from "../messages/field-errors.ts";
import type { ListQuery } from "../ports/store.ts";
import { instantText, map, strictObject, wholeNumber } from "../schema.ts";
import { RUN_STATUSES } from "./run.ts";
import { TRIGGER_TYPES } from "./run-labels.ts";
import {
  childMark,
  createdFrom,
  createdUntil,
  type ListedRun,
  metadataMark,
  orderOfRun,
  runMarks,
} from "./run-rows.ts";

const MAX_TAGS = 16;
const MAX_METADATA = 4;

const digits = v.pipe(v.string(), v.regex(/^\d{1,9}$/, "Must be the number of a version."), v.transform(Number));
const scalar = v.union([v.string(), v.number(), v.boolean()], "Must be a string, a number or a boolean.");
const metadata = v.pipe(
  map(scalar),
  v.check((values) => Object.keys(values).length <= MAX_METADATA, `Must have at most ${MAX_METADATA} keys.`),
);

/** What selects runs, in lists and for many at once. */
export const runFilters = {
  status: v.optional(multipleValues(v.picklist(RUN_STATUSES), RUN_STATUSES.length), []),
  version: v.exactOptional(v.union([wholeNumber(0), digits], "Must be the number of a version.")),
  trigger: v.optional(multipleValues(v.picklist(TRIGGER_TYPES), TRIGGER_TYPES.length), []),
  tags: v.optional(multipleValues(v.pipe(v.string(), v.trim()), MAX_TAGS), []),
  metadata: v.optional(metadata, {}),
  parent_run_id: v.exactOptional(v.string()),
  parent_step: v.exactOptional(v.string()),
  created_after: v.exactOptional(instantText),
  created_before: v.exactOptional(instantText),
  ...searchQuery,
} as const;

const filters = {
  ...pageQuery,
  ...tokenQuery,
  ...runFilters,
  order: v.exactOptional(v.picklist(["asc", "desc"], "Must be asc or desc.")),
} as const;

export const WorkflowRunsQuery = bracketMap("metadata", strictObject(filters));

export const RunsQuery = bracketMap("metadata", strictObject({ ...filters, workflow_id: v.exactOptional(v.string()) }));
export interface RunsQuery extends v.InferOutput<typeof RunsQuery> {}

export interface RunFilters extends Omit<RunsQuery, "page" | "take" | "page_token" | "order" | "workflow_id"> {}

/** @throws StepwellError `invalid` for a step without its run */
function parentMarks(parentRunId: string | undefined, stepKey: string | undefined): string[] {
  if (parentRunId === undefined && stepKey === undefined) return [];
  if (parentRunId === undefined)
    throw invalid([{ pointer: "/parent_step", message: "Needs parent_run_id: the run that has the step." }]);
  return [stepKey === undefined ? `parent:${parentRunId}` : childMark(parentRunId, stepKey)];
}

/** Returns which rows of a list the query selects. */
export function rowsOf(
  query: RunFilters & Pick<RunsQuery, "order">,
): Pick<ListQuery, "marks" | "from" | "until" | "descending"> {
  const {
    status,
    version,
    trigger,
    tags,
    parent_run_id,
    parent_step,
    created_after,
    created_before,
    order = "desc",
  } = query;
  const groups = [
    status.map((one) => `status:${one}`),
    trigger.map((one) => `trigger:${one}`),
    tags.map((one) => `tag:${one}`),
    version === undefined ? [] : [`version:${version}`],
    parentMarks(parent_run_id, parent_step),
    ...Object.entries(query.metadata).map(([name, value]) => [metadataMark(name, value)]),
  ];
  return {
    marks: groups.filter((group) => group.length > 0),
    from: created_after === undefined ? undefined : createdFrom(Date.parse(created_after)),
    until: created_before === undefined ? undefined : createdUntil(Date.parse(created_before) - 1),
    descending: order === "desc",
  };
}

const RUN_ID = /^run_[0-9a-z]{26}$/;

/** Whether a search names a run. Its id is not part of the text that searches look through. */
export const isRunId = (search: string | undefined): search is string => search !== undefined && RUN_ID.test(search);

/** Whether the filters select a run, as they would select its row. */
export function isSelected(run: ListedRun, filters: RunFilters): boolean {
  const { marks = [], from = "", until } = rowsOf(filters);
  const own = new Set(runMarks(run));
  const order = orderOfRun(run);
  const isInTime = order >= from && (until === undefined || order <= until);
  return isInTime && marks.every((group) => group.some((mark) => own.has(mark)));
}
