/** Workflows and their drafts. */

import { eventStartsOf, markOfWait } from "../app-events/app-event.ts";
import { listPage, type PageQuery, updateDocument } from "../documents/documents.ts";
import { bothOf, checkRevision, nextRevision, withRevision } from "../documents/expected-version.ts";
import { foldText, type Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { usesChanges, usesKey } from "../documents/stored-uses.ts";
import { isStepwellError, notFound } from "../errors.ts";
import { type Hooks, isHookKey } from "../hooks/hook-registry.ts";
import { omitUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Key, Row, RowChange, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { FindVersion } from "./find-version.ts";
import type { Settings } from "./settings.ts";
import { createNameTool } from "./tools/tool-name.ts";
import type { Definition, Draft, DraftPut, DraftReplace } from "./version.ts";
import type { Workflow, WorkflowCreate, WorkflowUpdate } from "./workflow.ts";

/** A draft as stored. Each change gives it a new id, which it has as a version. */
export interface DraftDocument extends Draft {
  readonly id: string;
}

export interface Workflows {
  create(appId: string, input: WorkflowCreate, receipt: Receipt): Promise<Workflow>;
  /** @throws StepwellError `not_found` */
  get(appId: string, workflowId: string): Promise<Workflow>;
  list(appId: string, query: PageQuery): Promise<Page<Workflow>>;
  /**
   * @param revisions Revisions of which the workflow must have one; undefined for any.
   * @throws StepwellError `precondition_failed`
   */
  update(appId: string, workflowId: string, input: WorkflowUpdate, revisions?: readonly number[]): Promise<Workflow>;
  /**
   * Deletes a workflow with its versions and draft, and releases its webhooks. Runs in progress continue.
   * @param alsoCommit Changes to commit with it.
   * @throws StepwellError `precondition_failed` if it has none of the revisions
   */
  remove(
    appId: string,
    workflowId: string,
    revisions?: readonly number[],
    alsoCommit?: readonly Change[],
  ): Promise<void>;
  getDraft(appId: string, workflowId: string): Promise<DraftDocument>;
  /**
   * Replaces the whole draft. Checks only its shape, because a draft may be incomplete.
   * @throws StepwellError `precondition_failed` if it has none of the revisions
   */
  putDraft(
    appId: string,
    workflowId: string,
    input: DraftReplace,
    revisions?: readonly number[],
  ): Promise<DraftDocument>;
}

export const workflowsOf = (appId: string) => `workflows.${appId}`;
export const workflowKey = (workflowId: string): Key => `workflow:${workflowId}`;
export const draftKey = (workflowId: string): Key => `draft:${workflowId}`;
export const workflowRow = ({ app_id, id, name, description, visibility, tool }: Workflow) => {
  const marks = [`visibility:${visibility}`, `tool:${tool !== null}`];
  const put: Row = { id, text: foldText(`${name}\n${description ?? ""}`), marks };
  return { list: workflowsOf(app_id), put };
};

/** Deleted workflows whose versions have not been deleted. */
export const DELETED_WORKFLOWS = "workflows.deleted";
const deletedKey = (workflowId: string): Key => `deleted-workflow:${workflowId}`;
/** The marks of the rows of an app in {@link DELETED_WORKFLOWS}. */
export const appMarks = (appId: string) => [[`app:${appId}`]];

/** The change that has the versions of a workflow deleted. */
function purgeLater({ id, app_id }: Workflow): Change {
  const rows = [{ list: DELETED_WORKFLOWS, put: { id, marks: appMarks(app_id).flat() } }];
  return { key: deletedKey(id), document: { id, app_id }, rows };
}

/** Notes that the versions of a deleted workflow are deleted. */
export function forgetDeleted(store: Store, workflowId: string): Promise<void> {
  const key = deletedKey(workflowId);
  const rows = [{ list: DELETED_WORKFLOWS, delete: workflowId }];
  return updateDocument(store, key, (found) => ({
    changes: [{ key, document: null, expected: found?.version ?? null, rows }],
    result: undefined,
  }));
}

/** The changes that remove a workflow from all lists. */
export const rowDeletions = (appId: string, workflowId: string): RowChange[] =>
  [workflowsOf(appId), eventStartsOf(appId)].map((list) => ({ list, delete: workflowId }));

/** The row by which events find a workflow whose latest version starts on them. */
export function eventStartRow(appId: string, workflowId: string, { start_on = [] }: Settings = {}): RowChange {
  const list = eventStartsOf(appId);
  if (start_on.length === 0) return { list, delete: workflowId };
  return { list, put: { id: workflowId, marks: start_on.map(({ name }) => markOfWait(name, null)) } };
}

/** A definition with empty values for omitted fields. */
export function wholeDefinition({
  input,
  input_default,
  input_options,
  steps,
  settings,
  pinned,
}: DraftPut): Definition {
  return {
    ...omitUndefined({ settings, pinned }),
    input: input ?? {},
    input_default: input_default ?? null,
    input_options: input_options ?? null,
    steps: steps ?? [],
  };
}

export function createWorkflows(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hooks: Pick<Hooks, "changes">;
  findVersion: FindVersion;
  /** Called when a workflow has been deleted, so that its versions can be deleted. */
  onDeleted(workflowId: string): void;
}): Workflows {
  const { store, clock, ids, hooks, findVersion, onDeleted } = parts;
  const nameTool = createNameTool({ store, listOf: workflowsOf, keyOf: workflowKey });
  const newDraft = (input: DraftPut, now: string, revision: number): DraftDocument => ({
    id: ids.next("workv"),
    ...wholeDefinition(input),
    revision,
    updated_at: now,
  });

  async function get(appId: string, workflowId: string): Promise<Workflow> {
    const found = await store.get<Workflow>(workflowKey(workflowId));
    if (found === null || found.document.app_id !== appId) throw notFound("workflow", workflowId);
    return withRevision(found.document);
  }

  /** The changes that release the webhook URLs of the deployed version. */
  async function releaseHooks({ app_id, id, latest_version_id }: Workflow): Promise<readonly Change[]> {
    const deployed = latest_version_id === null ? null : await findVersion(latest_version_id);
    return deployed === null ? [] : hooks.changes(app_id, id, deployed.steps, []);
  }

  async function remove(
    appId: string,
    workflowId: string,
    revisions?: readonly number[],
    alsoCommit: readonly Change[] = [],
  ): Promise<void> {
    await get(appId, workflowId);
    try {
      await updateDocument<Workflow, void>(store, workflowKey(workflowId), async (found) => {
        if (found === null) throw notFound("workflow", workflowId);
        checkRevision("workflow", found.document, revisions);
        const draft = await store.get(draftKey(workflowId));
        const rows = rowDeletions(appId, workflowId);
        const changes = [
          { key: workflowKey(workflowId), document: null, expected: found.version, rows },
          ...(draft === null ? [] : [{ key: draftKey(workflowId), document: null, expected: draft.version }]),
          ...(found.document.latest_version === null ? [] : [purgeLater(found.document)]),
          ...(await releaseHooks(found.document)),
          ...(await usesChanges(store, appId, workflowId, [])),
          ...alsoCommit,
        ];
        return { changes, result: undefined };
      });
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
      if (error.key !== draftKey(workflowId) && error.key !== usesKey(workflowId) && !isHookKey(error.key)) throw error;
      return remove(appId, workflowId, revisions, alsoCommit); // the draft or a webhook was changed concurrently
    }
    onDeleted(workflowId);
  }

  return {
    async create(appId, input, receipt) {
      const { name, description, visibility, tool, ...draft } = input;
      const now = instant(clock.now());
      const workflow: Workflow = {
        id: ids.next("work"),
        app_id: appId,
        name,
        description: description ?? null,
        visibility: visibility ?? "PRIVATE",
        tool: null,
        latest_version: null,
        latest_version_id: null,
        revision: 1,
        created_at: now,
        updated_at: now,
      };
      const created = { ...workflow, tool: tool ? await nameTool(workflow, tool) : null };
      await store.commit([
        { key: workflowKey(created.id), document: created, rows: [workflowRow(created)] },
        { key: draftKey(created.id), document: newDraft(draft, now, 1) },
        ...receipt(created),
      ]);
      return created;
    },

    get,

    list: (appId, query) => listPage<Workflow, Workflow>(store, workflowsOf(appId), query, workflowKey, withRevision),

    update: (appId, workflowId, { expected_revision, ...input }, revisions) =>
      updateDocument<Workflow, Workflow>(store, workflowKey(workflowId), async (found) => {
        if (found === null || found.document.app_id !== appId) throw notFound("workflow", workflowId);
        const expected = bothOf(expected_revision, revisions);
        const revision = nextRevision("workflow", found.document, expected);
        const changed: Workflow = { ...found.document, ...input, revision, updated_at: instant(clock.now()) };
        const workflow = input.tool ? { ...changed, tool: await nameTool(changed, input.tool) } : changed;
        const rows = [workflowRow(workflow)];
        const key = workflowKey(workflowId);
        return { changes: [{ key, document: workflow, expected: found.version, rows }], result: workflow };
      }),

    remove,

    async getDraft(appId, workflowId) {
      await get(appId, workflowId);
      const found = await store.get<DraftDocument>(draftKey(workflowId));
      if (found === null) throw notFound("workflow", workflowId);
      return withRevision(found.document);
    },

    async putDraft(appId, workflowId, { expected_revision, ...input }, revisions) {
      await get(appId, workflowId);
      return updateDocument<DraftDocument, DraftDocument>(store, draftKey(workflowId), (found) => {
        if (found === null) throw notFound("workflow", workflowId);
        const revision = nextRevision("draft", found.document, bothOf(expected_revision, revisions));
        const draft = newDraft(input, instant(clock.now()), revision);
        return {
          changes: [{ key: draftKey(workflowId), document: draft, expected: found.version }],
          result: draft,
        };
      });
    },
  };
}
