/** Schedules: create, change, pause and delete them. trigger-runs.ts starts their runs. */

import { deleteAllListed, listPage, marksOf, type PageQuery, updateDocument } from "../documents/documents.ts";
import { bothOf, checkRevision, nextRevision, withRevision } from "../documents/expected-version.ts";
import { lookUp } from "../documents/look-up.ts";
import { foldText, type Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { retryOnConflict } from "../documents/retry-on-conflict.ts";
import { useRows } from "../documents/uses.ts";
import { cut, notFound, StepwellError } from "../errors.ts";
import { checkedJson, sortedJson } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Key, Store } from "../ports/store.ts";
import { dueRow } from "../time/durable-timers.ts";
import { instant } from "../time/iso.ts";
import type { CheckScheduleInput } from "./check-input.ts";
import { checkRecurrence, createNextMoment, type NextMoment } from "./recurrence.ts";
import type { CheckedScheduleCreate, CheckedScheduleUpdate, Schedule, ScheduleDocument } from "./schedule.ts";
import { NO_TIMING, newSchedule, settingsOf, storedFields } from "./schedule-settings.ts";

export interface SchedulesQuery extends PageQuery {
  readonly workflow_id?: string | undefined;
}

export interface Schedules {
  /**
   * Returns the schedule with this key if the same call created it.
   * @throws StepwellError `invalid` with every invalid field; `conflict` if the key's schedule was created with other settings
   */
  create(appId: string, input: CheckedScheduleCreate, receipt: Receipt): Promise<Schedule>;
  list(appId: string, query: SchedulesQuery): Promise<Page<Schedule>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, scheduleId: string): Promise<Schedule>;
  /**
   * @param revisions Revisions of which the schedule must have one; undefined for any.
   * @throws StepwellError `precondition_failed`
   */
  update(
    appId: string,
    scheduleId: string,
    input: CheckedScheduleUpdate,
    revisions?: readonly number[],
  ): Promise<Schedule>;
  /** @throws StepwellError `precondition_failed` if it has none of the revisions */
  remove(appId: string, scheduleId: string, revisions?: readonly number[]): Promise<void>;
  /** Deletes all schedules of a deleted app. */
  deleteAll(appId: string, isStopped: () => boolean): Promise<void>;
}

/** The schedules of all apps that will run, by the time of their next run. */
export const DUE_LIST = "schedules.due";
/** Marks the schedules of an app in {@link DUE_LIST}. */
export const appMark = (appId: string) => `app:${appId}`;
const UPCOMING_COUNT = 5;
/** Characters of a key in an error. */
const MAX_SHOWN_CHARS = 100;
const listOf = (appId: string) => `schedules.${appId}`;
export const scheduleKey = (scheduleId: string): Key => `schedule:${scheduleId}`;

/** What a schedule uses. A paused one does nothing. */
const usesOf = ({ paused, workflow_id }: ScheduleDocument) => (paused ? [] : [workflow_id]);

/** The change that stores a schedule. @param before The stored one; null for a new one. */
export function putSchedule(
  document: ScheduleDocument,
  expected: number | undefined,
  before: ScheduleDocument | null,
): Change {
  const { id, app_id, workflow_id, name, next_at } = document;
  return {
    key: scheduleKey(id),
    document,
    expected,
    rows: [
      { list: listOf(app_id), put: { id, text: foldText(name ?? ""), marks: [`workflow:${workflow_id}`] } },
      dueRow(DUE_LIST, id, next_at, [appMark(app_id)]),
      ...useRows(id, before === null ? [] : usesOf(before), usesOf(document)),
    ],
  };
}

function deleteSchedule(document: ScheduleDocument, version: number): Change {
  const { id, app_id } = document;
  const rows = [{ list: listOf(app_id), delete: id }, dueRow(DUE_LIST, id, null), ...useRows(id, usesOf(document), [])];
  return { key: scheduleKey(id), document: null, expected: version, rows };
}

export function createSchedules(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  /** @throws StepwellError `not_found` */
  requireWorkflow(appId: string, workflowId: string): Promise<unknown>;
  checkInput: CheckScheduleInput;
  /** Sets a wake-up for this time. */
  setTimer(moment: string): void;
}): Schedules {
  const { store, clock, ids, hash, requireWorkflow, checkInput, setTimer } = parts;

  /**
   * The schedule to store: with its next due time, unless it is paused.
   * @param given The fields of the call. Only these are validated, so stored fields never prevent other changes.
   * @param due The next due time to keep, even if it has passed without a run.
   */
  async function plan(
    document: ScheduleDocument,
    given: CheckedScheduleUpdate,
    due: string | null = null,
  ): Promise<ScheduleDocument> {
    const now = clock.now();
    const needsInputCheck = !document.paused && CHECKED_FIELDS.some((field) => given[field] !== undefined);
    const errors = [...(await checkRecurrence(document, now)), ...(needsInputCheck ? await checkInput(document) : [])];
    // A schedule without further runs can still be renamed or paused.
    if (given.at !== undefined && Date.parse(given.at) <= now) {
      errors.push({ pointer: "/at", message: `Must be in the future. The current time is ${instant(now)}.` });
    }
    if (errors.length > 0) throw invalid(errors);
    if (due !== null) return { ...document, next_at: due, updated_at: instant(now) };
    const next = document.paused ? null : (await createNextMoment(document))(now);
    return { ...document, next_at: next === null ? null : instant(next), updated_at: instant(now) };
  }

  async function toSchedule(document: ScheduleDocument): Promise<Schedule> {
    const { counted_from: _, created_with: _digest, ...schedule } = withRevision(document);
    if (schedule.next_at === null) return { ...schedule, upcoming: [] };
    const next = await createNextMoment(document);
    return { ...schedule, upcoming: upcomingMoments(Date.parse(schedule.next_at), next) };
  }

  async function add(
    appId: string,
    id: string,
    given: CheckedScheduleCreate,
    receipt: Receipt,
    more: Pick<ScheduleDocument, "created_with"> = {},
  ): Promise<Schedule> {
    await checkWorkflowExists(appId, given.workflow_id);
    const fresh = newSchedule(appId, id, given, instant(clock.now()));
    const document = await plan({ ...fresh, ...more }, { input: {}, ...given });
    const answer = await toSchedule(document);
    await store.commit([{ ...putSchedule(document, undefined, null), expected: null }, ...receipt(answer)]);
    if (document.next_at !== null) setTimer(document.next_at);
    return answer;
  }

  /** The schedule of a key, if the same call created it. It may have been changed since. */
  function repeated(document: ScheduleDocument, key: string, createdWith: string): Promise<Schedule> {
    // Schedules of earlier releases have no digest.
    if ((document.created_with ?? createdWith) === createdWith) return toSchedule(document);
    const name = JSON.stringify(cut(key, MAX_SHOWN_CHARS));
    const message = `The key ${name} belongs to the schedule ${document.id}, which was created with other settings. Update that schedule, or use another key.`;
    throw new StepwellError("conflict", message, { errors: [{ pointer: "/key", message }] });
  }

  const idOf = (appId: string, key: string) => `sched_${hash.sha256(JSON.stringify([appId, key])).slice(0, 26)}`;

  async function checkWorkflowExists(appId: string, workflowId: string): Promise<void> {
    const workflow = await lookUp(requireWorkflow(appId, workflowId));
    if (!workflow.ok) throw invalid([{ pointer: "/workflow_id", message: workflow.message }]);
  }

  function own(found: { document: ScheduleDocument } | null, appId: string, scheduleId: string): ScheduleDocument {
    if (found === null || found.document.app_id !== appId) throw notFound("schedule", scheduleId);
    return found.document;
  }

  return {
    async create(appId, given, receipt) {
      const { key } = given;
      if (key === undefined) return add(appId, ids.next("sched"), given, receipt);
      const id = idOf(appId, key);
      const created_with = hash.sha256(sortedJson(checkedJson(settingsOf(given))));
      // The same call may come twice at the same time.
      return retryOnConflict(
        (changed) => changed === scheduleKey(id),
        async () => {
          const before = await store.get<ScheduleDocument>(scheduleKey(id));
          return before === null
            ? add(appId, id, given, receipt, { created_with })
            : repeated(before.document, key, created_with);
        },
      );
    },

    list: (appId, { workflow_id, ...query }) =>
      listPage<ScheduleDocument, Schedule>(
        store,
        listOf(appId),
        { ...query, marks: marksOf("workflow", workflow_id) },
        scheduleKey,
        toSchedule,
      ),

    get: async (appId, scheduleId) =>
      toSchedule(own(await store.get<ScheduleDocument>(scheduleKey(scheduleId)), appId, scheduleId)),

    async update(appId, scheduleId, { expected_revision, ...input }, revisions) {
      const document = await updateDocument<ScheduleDocument, ScheduleDocument>(
        store,
        scheduleKey(scheduleId),
        async (found) => {
          const before = own(found, appId, scheduleId);
          const revision = nextRevision("schedule", before, bothOf(expected_revision, revisions));
          const isRetimed = input.cron !== undefined || input.every !== undefined || input.at !== undefined;
          const timing = isRetimed ? { ...NO_TIMING, counted_from: instant(clock.now()) } : undefined;
          const after = { ...before, ...timing, ...storedFields(input), revision };
          if (before.paused && !after.paused) await checkWorkflowExists(appId, before.workflow_id);
          const isSameTime = !isRetimed && input.timezone === undefined && after.paused === before.paused;
          const planned = await plan(after, input, isSameTime ? before.next_at : null);
          return { changes: [putSchedule(planned, found?.version, before)], result: planned };
        },
      );
      if (document.next_at !== null) setTimer(document.next_at);
      return toSchedule(document);
    },

    remove: (appId, scheduleId, revisions) =>
      updateDocument<ScheduleDocument, void>(store, scheduleKey(scheduleId), (found) => {
        const document = own(found, appId, scheduleId);
        checkRevision("schedule", document, revisions);
        return { changes: [deleteSchedule(document, found?.version ?? 0)], result: undefined };
      }),

    deleteAll: (appId, isStopped) =>
      deleteAllListed<ScheduleDocument>(store, listOf(appId), scheduleKey, deleteSchedule, isStopped),
  };
}

/** Fields that decide whether a run can start. */
const CHECKED_FIELDS = ["input", "version", "step_key", "paused"] as const;

function upcomingMoments(first: number, next: NextMoment): string[] {
  const moments: string[] = [];
  for (let moment: number | null = first; moment !== null && moments.length < UPCOMING_COUNT; moment = next(moment)) {
    moments.push(instant(moment));
  }
  return moments;
}
