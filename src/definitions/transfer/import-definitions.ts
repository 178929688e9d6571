/** Imports definitions from a document: all of them in one commit, or none. */
import type { Caller } from "../../api/caller.ts";
import type { CheckRules } from "../../collections/check-rules.ts";
import type { CollectionDocument } from "../../collections/collection.ts";
import { rowsOf } from "../../collections/collection-rows.ts";
import { type Collections, collectionKey } from "../../collections/collections.ts";
import { replaceIndexes } from "../../collections/indexes/record-index.ts";
import type { Connections } from "../../connections/connections.ts";
import type { Receipt } from "../../documents/receipt.ts";
import { type FieldError, firstErrors, isStepwellError, MAX_ERRORS } from "../../errors.ts";
import { type Hooks, isHookKey } from "../../hooks/hook-registry.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Change, Store } from "../../ports/store.ts";
import { dateOf, instant } from "../../time/iso.ts";
import { importedWorkflow } from "../../workflows/imported-workflow.ts";
import type { CheckDefinition } from "../../workflows/validation/check-definition.ts";
import type { Version } from "../../workflows/version.ts";
import type { Versions } from "../../workflows/versions.ts";
import type { Workflow } from "../../workflows/workflow.ts";
import { type Workflows, wholeDefinition } from "../../workflows/workflows.ts";
import { all, unlessMissing } from "../read-all.ts";
import { requireScope } from "../require-scope.ts";
import type { Bundle, BundleWorkflow, Imported } from "./bundle.ts";
import { type Existing, type ImportPlan, planImport } from "./plan-import.ts";
import { type Lookups, lookupsWith, type PlannedWorkflow } from "./planned-lookups.ts";

export interface Imports {
  /**
   * Creates what the document defines. Of the export of a workflow, what the app already has is used instead.
   * @throws StepwellError `invalid` with a JSON Pointer for each problem; `forbidden` if the key may not create it
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
  hooks: Pick<Hooks, "problems" | "changes">;
  /** Creates the checks of definitions and rules that find workflows in this way. */
  checksWith(lookups: Lookups): { readonly definition: CheckDefinition; readonly rules: CheckRules };
}

export function createImports(parts: Parts): Imports {
  const { store, clock, ids, hooks } = parts;

  const existingIn = (appId: string): Existing => ({
    hasWorkflow: async (id) => (await unlessMissing(parts.workflows.get(appId, id))) !== null,
    hasCollection: async (id) => (await unlessMissing(parts.collections.get(appId, id, false)))?.deleted === false,
    connections: () => all((page) => parts.connections.list(appId, page)),
  });

  /** All problems of what would be created, with JSON Pointers into the document. */
  async function problemsOf(appId: string, plan: ImportPlan, planned: readonly PlannedWorkflow[]) {
    const checks = parts.checksWith(lookupsWith(planned, parts));
    const errors: FieldError[] = [];
    for (const { workflow, versions, index } of planned) {
      for (const [at, version] of versions.entries()) {
        const isLatest = at === versions.length - 1;
        const found = [
          ...(await checks.definition(appId, version)),
          ...(isLatest ? await hooks.problems(appId, workflow.id, version.steps) : []),
        ];
        for (const one of found) errors.push({ ...one, pointer: `/workflows/${index}/versions/${at}${one.pointer}` });
        if (errors.length > MAX_ERRORS) return errors;
      }
    }
    for (const index of plan.collections) {
      const rules = plan.bundle.collections[index]?.config.rules ?? [];
      const pathOf = (rule: number) => ["collections", index, "config", "rules", rule];
      for (const one of await checks.rules(appId, rules, pathOf)) errors.push(one);
    }
    return errors;
  }

  async function importOnce(appId: string, given: Bundle, caller: Caller, receipt: Receipt): Promise<Imported> {
    if (given.connections.length > 0) requireScope(caller, "connections:read");
    const plan = await planImport(given, existingIn(appId), ids);
    if (plan.collections.length > 0) requireScope(caller, "collections:write");
    const now = instant(clock.now());
    const planned = plan.workflows.flatMap((index) => {
      const one = plan.bundle.workflows[index];
      return one === undefined ? [] : [plannedWorkflow(appId, one, index, now)];
    });
    const errors = await problemsOf(appId, plan, planned);
    if (errors.length > 0) throw invalid(firstErrors(errors.values()));
    const claimed = await hookChanges(appId, planned);
    const root = given.root === undefined ? undefined : plan.ids.get(given.root);
    const result: Imported = { workflow_id: root ?? null, ids: Object.fromEntries(plan.ids) };
    await store.commit([
      ...planned.flatMap(({ workflow, draft, versions }) => importedWorkflow(workflow, draft, versions)),
      ...claimed,
      ...plan.collections.flatMap((index) => collectionChange(appId, plan.bundle.collections[index], now)),
      ...receipt(result),
    ]);
    return result;
  }

  /** @throws StepwellError `invalid` if two workflows of the document have the same webhook */
  async function hookChanges(appId: string, planned: readonly PlannedWorkflow[]): Promise<Change[]> {
    const changes = new Map<string, Change>();
    const errors: FieldError[] = [];
    for (const { workflow, versions, index } of planned) {
      for (const change of await hooks.changes(appId, workflow.id, [], versions.at(-1)?.steps ?? [])) {
        const pointer = `/workflows/${index}/versions/${versions.length - 1}/steps`;
        if (changes.has(change.key))
          errors.push({ pointer, message: "Another workflow in the document has the same webhook." });
        changes.set(change.key, change);
      }
    }
    if (errors.length > 0) throw invalid(errors);
    return [...changes.values()];
  }

  function plannedWorkflow(appId: string, given: BundleWorkflow, index: number, now: string): PlannedWorkflow {
    const { id, name, description = null, visibility = "PRIVATE", versions: frozen = [] } = given;
    const versions = frozen.map(
      ({ id: versionId, version, notes = null, ...definition }): Version => ({
        ...{ id: versionId, app_id: appId, workflow_id: id, description, version, notes },
        ...{ created_at: dateOf(now), key: `${id}@${version}` },
        ...wholeDefinition(definition),
      }),
    );
    const latest = versions.at(-1);
    const workflow: Workflow = {
      ...{ id, app_id: appId, name, description, visibility, revision: 1, created_at: now, updated_at: now },
      ...{ latest_version: latest?.version ?? null, latest_version_id: latest?.id ?? null },
    };
    const definition = wholeDefinition(given.draft ?? frozen.at(-1) ?? {});
    const draft = { id: ids.next("workv"), ...definition, revision: 1, updated_at: now };
    return { workflow, draft, versions, index };
  }

  function collectionChange(appId: string, given: Bundle["collections"][number] | undefined, now: string): Change[] {
    if (given === undefined) return [];
    const { id, name, description, visibility, config } = given;
    const { rules = [], mappings = [], indexes = [] } = config;
    const document: CollectionDocument = {
      ...{ id, app_id: appId, name, description, visibility, tags: [], triggers: [], revision: 1 },
      config: { id: ids.next("conf"), rules, mappings, indexes, created_at: now, updated_at: now },
      indexes: replaceIndexes([], indexes, () => ids.next("idx"), true),
      ...{ has_records: false, deleted: false, created_at: now, updated_at: now },
    };
    return [{ key: collectionKey(id), document, rows: rowsOf(document) }];
  }

  return {
    async import(appId, bundle, caller, receipt) {
      for (;;) {
        try {
          return await importOnce(appId, bundle, caller, receipt);
        } catch (error) {
          // Another workflow claimed or released a webhook URL concurrently: check again.
          if (!isStepwellError(error, "conflict") || !isHookKey(error.key)) throw error;
        }
      }
    },
  };
}
