/** Imports definitions from a document: all of them in one commit, or none. */

import { type Caller, hasScope, requireScope } from "../../calls/caller.ts";
import type { CheckRules } from "../../collections/check-rules.ts";
import type { Collections } from "../../collections/collections.ts";
import type { Tags } from "../../collections/tags.ts";
import type { CheckTriggers } from "../../collections/triggers/check-triggers.ts";
import type { TriggerStates } from "../../collections/triggers/trigger-state.ts";
import type { Connections } from "../../connections/connections.ts";
import { unlessMissing } from "../../documents/look-up.ts";
import type { Receipt } from "../../documents/receipt.ts";
import { retryOnConflict } from "../../documents/retry-on-conflict.ts";
import { existingIn } from "../../documents/uses.ts";
import { type FieldError, firstErrors, MAX_ERRORS, notFound } from "../../errors.ts";
import { type Hooks, isHookKey } from "../../hooks/hook-registry.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Change, Store } from "../../ports/store.ts";
import { prepareSchedules } from "../../schedules/imported-schedules.ts";
import { instant } from "../../time/iso.ts";
import type { PrepareWebhooks } from "../../webhooks/imported-webhooks.ts";
import { importedWorkflow, putImportedWorkflow } from "../../workflows/imported-workflow.ts";
import type { CheckDefinition } from "../../workflows/validation/check-definition.ts";
import { referencesOf } from "../../workflows/version.ts";
import type { Versions } from "../../workflows/versions.ts";
import type { Workflows } from "../../workflows/workflows.ts";
import { all } from "../read-all.ts";
import type { Bundle, Imported } from "./bundle.ts";
import { prepareCollections } from "./imported-collections.ts";
import { type Existing, type PlannedWorkflow, planImport } from "./plan-import.ts";
import { type Lookups, lookupsWith } from "./planned-lookups.ts";

export interface Imports {
  /**
   * Creates what the document defines. Of the export of a workflow, what the app already has is used instead.
   * @throws StepwellError `invalid` with a JSON Pointer for each problem; `forbidden` if the key may not create it;
   * `conflict` if the app would have too many webhooks; `not_configured` for webhooks if the option `secret` is not set
   */
  import(appId: string, bundle: Bundle, caller: Caller, receipt: Receipt): Promise<Imported>;
}

interface Parts {
  store: Store;
  clock: Clock;
  ids: Ids;
  workflows: Pick<Workflows, "get">;
  versions: Pick<Versions, "get">;
  collections: Pick<Collections, "get">;
  connections: Pick<Connections, "list">;
  tags: Pick<Tags, "find">;
  hooks: Pick<Hooks, "problems" | "changes">;
  checkTriggers: CheckTriggers;
  triggerStates: Pick<TriggerStates, "changes" | "committed">;
  prepareWebhooks: PrepareWebhooks;
  /** Sets a wake-up for the next run of a schedule. */
  setTimer(moment: string): void;
  /** Creates the checks of definitions and rules that find workflows in this way. */
  checksWith(lookups: Lookups): { readonly definition: CheckDefinition; readonly rules: CheckRules };
}

type Planned = PlannedWorkflow & ReturnType<typeof importedWorkflow>;

export function createImports(parts: Parts): Imports {
  const { store, clock, ids, hooks, triggerStates } = parts;

  const existing = (appId: string): Existing => ({
    hasWorkflow: async (id) => (await unlessMissing(parts.workflows.get(appId, id))) !== null,
    hasCollection: async (id) => (await unlessMissing(parts.collections.get(appId, id, false)))?.deleted === false,
    connections: () => all((page) => parts.connections.list(appId, page)),
  });

  /** All problems of the workflows that would be created, with JSON Pointers into the document. */
  async function workflowErrors(appId: string, planned: readonly Planned[], check: CheckDefinition) {
    const errors: FieldError[] = [];
    for (const { workflow, versions, index, places } of planned) {
      for (const [at, version] of versions.entries()) {
        const isLatest = at === versions.length - 1;
        const found = [
          ...(await check(appId, version)),
          ...(isLatest ? await hooks.problems(appId, workflow.id, version.steps) : []),
        ];
        const base = `/workflows/${index}/versions/${places[at]}`;
        for (const one of found) errors.push({ ...one, pointer: `${base}${one.pointer}` });
        if (errors.length > MAX_ERRORS) return errors;
      }
    }
    return errors;
  }

  async function importOnce(appId: string, given: Bundle, caller: Caller, receipt: Receipt): Promise<Imported> {
    requireScopes(given, caller);
    const plan = await planImport(given, existing(appId), ids);
    if (plan.collections.length > 0) requireScope(caller, "collections:write");
    const { tags = [], schedules = [], webhooks = [] } = plan.bundle;
    const now = instant(clock.now());
    const planned = plan.workflows.map((one) => ({ ...one, ...importedWorkflow(appId, one.item, ids, now) }));
    const lookups = lookupsWith(planned, parts);
    const checks = parts.checksWith(lookups);
    const created = new Set(plan.collections.map(({ item }) => item.id));
    const parents = {
      requireWorkflow: lookups.getWorkflow,
      async requireCollection(_: string, id: string) {
        if (!created.has(id) && !(await existing(appId).hasCollection(id))) throw notFound("collection", id);
      },
    };
    const wanted = { tags, collections: plan.collections };
    const collections = await prepareCollections({ ...parts, checkRules: checks.rules }, appId, wanted, now);
    const timed = await prepareSchedules(appId, schedules, lookups, clock.now());
    const sending = await parts.prepareWebhooks(appId, webhooks, parents, (scope) => hasScope(caller, scope), now);
    const errors = [
      ...(await workflowErrors(appId, planned, checks.definition)),
      ...collections.errors,
      ...timed.errors.map((error) => ({ ...error, pointer: `/schedules${error.pointer}` })),
      ...sending.errors.map((error) => ({ ...error, pointer: `/webhooks${error.pointer}` })),
    ];
    if (errors.length > 0) throw invalid(firstErrors(errors.values()));
    const claimed = await hookChanges(appId, planned);
    const usable = new Set([...planned.map(({ workflow }) => workflow.id), ...created]);
    const others = planned.flatMap(({ versions }) => versions.slice(-1).flatMap((latest) => [...referencesOf(latest)]));
    for (const id of await existingIn(store, appId, new Set(others))) usable.add(id);
    const root = given.root === undefined ? undefined : plan.ids.get(given.root);
    const result: Imported = {
      ...{ workflow_id: root ?? null, ids: Object.fromEntries(plan.ids), webhooks: [...sending.issued] },
    };
    // The response to a repeat is stored, so it must not contain secrets.
    const repeated = { ...result, webhooks: sending.issued.map(({ id }) => ({ id, secret: null })) };
    await store.commit([
      ...planned.flatMap((one) => putImportedWorkflow(one, usable)),
      ...claimed,
      ...collections.changes,
      ...timed.changes,
      ...sending.changes,
      ...receipt(repeated),
    ]);
    for (const document of collections.documents) triggerStates.committed(document, []);
    timed.moments.forEach(parts.setTimer);
    sending.committed();
    return result;
  }

  /** @throws StepwellError `invalid` if two workflows of the document have the same webhook */
  async function hookChanges(appId: string, planned: readonly Planned[]): Promise<Change[]> {
    const changes = new Map<string, Change>();
    const errors: FieldError[] = [];
    for (const { workflow, versions, index, places } of planned) {
      for (const change of await hooks.changes(appId, workflow.id, [], versions.at(-1)?.steps ?? [])) {
        const pointer = `/workflows/${index}/versions/${places.at(-1)}/steps`;
        if (changes.has(change.key))
          errors.push({ pointer, message: "Another workflow in the document has the same webhook." });
        changes.set(change.key, change);
      }
    }
    if (errors.length > 0) throw invalid(errors);
    return [...changes.values()];
  }

  return {
    // Another workflow may claim or release a webhook URL concurrently: check again.
    import: (appId, bundle, caller, receipt) =>
      retryOnConflict(isHookKey, () => importOnce(appId, bundle, caller, receipt)),
  };
}

/** @throws StepwellError `forbidden` if the key may not use or create what the document has */
function requireScopes({ connections, tags = [], schedules = [], webhooks = [] }: Bundle, caller: Caller): void {
  if (connections.length > 0) requireScope(caller, "connections:read");
  if (tags.length > 0) requireScope(caller, "collections:write");
  if (schedules.length > 0) requireScope(caller, "schedules:write");
  if (webhooks.length > 0) requireScope(caller, "webhooks:write");
}
