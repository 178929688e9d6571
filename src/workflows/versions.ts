/** Versions: deployed once, numbered from 1 without gaps, immutable. */
import { authorOf } from "../calls/author-of.ts";
import type { Caller } from "../calls/caller.ts";
import { listPage, type PageQuery, updateDocument } from "../documents/documents.ts";
import { checkRevision, revisionOf } from "../documents/expected-version.ts";
import type { Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { usesChanges, usesKey } from "../documents/stored-uses.ts";
import { type FieldError, firstErrors, isStepwellError, notFound, StepwellError } from "../errors.ts";
import { type Hooks, isHookKey } from "../hooks/hook-registry.ts";
import { checkedJson, type JsonObject, omitUndefined, sortedJson } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Store, Stored } from "../ports/store.ts";
import { dateOf, instant } from "../time/iso.ts";
import { appVersions, versionKey } from "./find-version.ts";
import { type GivenOutputs, stepTestVersion } from "./step-test.ts";
import { type FindAction, unknownActions } from "./unknown-actions.ts";
import type { CheckDefinition } from "./validation/check-definition.ts";
import {
  type Definition,
  type Deploy,
  definitionOf,
  deployedDefinitionOf,
  type Rollback,
  referencesOf,
  type Validation,
  type Version,
} from "./version.ts";
import { type VersionReader, versionNumberKey } from "./version-reader.ts";
import type { Workflow } from "./workflow.ts";
import { eventStartRow, type Workflows, workflowKey, workflowRow } from "./workflows.ts";

export interface Versions extends VersionReader {
  /** Returns all problems that would prevent a deployment. */
  validate(appId: string, workflowId: string, definition: Definition): Promise<Validation>;
  /** Returns the problems of a definition with an invalid shape. @param error The error of the shape. */
  shapeErrors(given: JsonObject, error: StepwellError): Validation;
  /**
   * Freezes the draft as the next version.
   * @throws StepwellError `invalid` with every problem of the draft, `not_found`, `precondition_failed`
   */
  deploy(appId: string, workflowId: string, input: Deploy, caller: Caller, receipt: Receipt): Promise<Version>;
  /** Deploys an earlier version again, as the next version. */
  rollback(
    appId: string,
    workflowId: string,
    version: string,
    input: Rollback,
    caller: Caller,
    receipt: Receipt,
  ): Promise<Version>;
  list(appId: string, workflowId: string, query: PageQuery): Promise<Page<Version>>;
  /**
   * Like {@link get}, to run the version.
   * @throws StepwellError also `invalid` for a draft that cannot be deployed; `conflict` if no version was deployed
   */
  forRun(appId: string, workflowId: string, version: string): Promise<Version>;
  /**
   * Returns the version that a test of one step of the draft runs.
   * @throws StepwellError `not_found` for an unknown step; `invalid` for a step that cannot be tested or is invalid
   */
  forStepTest(appId: string, workflowId: string, stepKey: string, outputs: GivenOutputs): Promise<Version>;
}

export const versionsOf = (workflowId: string) => `versions.${workflowId}`;

/** Deletes a version, with the document that finds it by its number. */
export async function versionDeletion(store: Store, { document, version }: Stored<Version>): Promise<Change[]> {
  const { id, app_id, workflow_id, version: number } = document;
  const rows = [appVersions(app_id), versionsOf(workflow_id)].map((list) => ({ list, delete: id }));
  const numbered = number === 0 ? null : await store.get(versionNumberKey(workflow_id, number));
  return [
    { key: versionKey(id), document: null, expected: version, rows },
    ...(numbered === null
      ? []
      : [{ key: versionNumberKey(workflow_id, number), document: null, expected: numbered.version }]),
  ];
}

export function createVersions(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  workflows: Workflows;
  reader: VersionReader;
  check: CheckDefinition;
  hooks: Hooks;
  findAction: FindAction;
}): Versions {
  const { store, clock, ids, hash, workflows, reader, check, hooks, findAction } = parts;
  const { get } = reader;

  /** Stores the next version. Calls `content` again if another deployment came first. */
  async function freeze(
    appId: string,
    workflowId: string,
    content: () => Promise<Pick<Version, keyof Definition | "notes" | "rollback_version">>,
    caller: Caller,
    receipt: Receipt,
  ): Promise<Version> {
    const freezeOnce = updateDocument<Workflow, Version>(store, workflowKey(workflowId), async (found) => {
      if (found === null || found.document.app_id !== appId) throw notFound("workflow", workflowId);
      const number = (found.document.latest_version ?? 0) + 1;
      const now = instant(clock.now());
      const version: Version = {
        id: ids.next("workv"),
        app_id: appId,
        workflow_id: workflowId,
        description: found.document.description,
        version: number,
        ...omitUndefined({ created_by: authorOf(caller) }),
        created_at: dateOf(now),
        deployed_at: now,
        key: `${workflowId}@${number}`,
        ...(await content()),
      };
      await throwIfInvalid(hooks.problems(appId, workflowId, version.steps));
      const { latest_version_id } = found.document;
      const before = latest_version_id === null ? null : await reader.find(latest_version_id);
      const revision = revisionOf(found.document) + 1;
      const deployed = { latest_version: number, latest_version_id: version.id };
      const workflow = { ...found.document, ...deployed, revision, updated_at: now };
      const rows = [workflowRow(workflow), eventStartRow(appId, workflowId, version.settings)];
      const changes: Change[] = [
        { key: workflowKey(workflowId), document: workflow, expected: found.version, rows },
        {
          key: versionKey(version.id),
          document: version,
          rows: [versionsOf(workflowId), appVersions(appId)].map((list) => ({ list, put: { id: version.id } })),
        },
        { key: versionNumberKey(workflowId, number), document: { id: version.id } },
        ...(await hooks.changes(appId, workflowId, before?.steps ?? [], version.steps)),
        ...(await usesChanges(store, appId, workflowId, referencesOf(version))),
        ...receipt(version),
      ];
      return { changes, result: version };
    });
    try {
      return await freezeOnce;
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
      if (error.key !== usesKey(workflowId) && !isHookKey(error.key)) throw error;
      // Another workflow claimed or released a webhook URL concurrently: check again.
      return freeze(appId, workflowId, content, caller, receipt);
    }
  }

  const checkValid = (appId: string, definition: Definition) => throwIfInvalid(check(appId, definition));

  /** What would prevent a deployment: pinned outputs, which it does not have, may hide problems. */
  async function deployProblems(...[appId, definition, onWarning]: Parameters<CheckDefinition>) {
    const found = await check(appId, definition, onWarning);
    const isWhole = definition.pinned === undefined || found.length > 0;
    return isWhole ? found : check(appId, deployedDefinitionOf(definition));
  }

  return {
    async validate(appId, workflowId, definition) {
      const warnings: FieldError[] = [];
      const found = [
        ...(await deployProblems(appId, definition, (warning) => warnings.push(warning))),
        ...(await hooks.problems(appId, workflowId, definition.steps)),
      ];
      const result = found.length === 0 ? { valid: true, errors: [] } : asValidation(invalid(found));
      return warnings.length === 0 ? result : { ...result, warnings: [...invalid(warnings).errors] };
    },

    shapeErrors(given, error) {
      if (error.errors_truncated) return asValidation(error);
      return asValidation(invalid([...error.errors, ...firstErrors(unknownActions(given, findAction))]));
    },

    async deploy(appId, workflowId, { notes, expected_revision }, caller, receipt) {
      const expected = expected_revision === undefined ? undefined : [expected_revision];
      const content = async () => {
        const draft = await workflows.getDraft(appId, workflowId);
        checkRevision("draft", draft, expected);
        await throwIfInvalid(deployProblems(appId, definitionOf(draft)));
        return { ...deployedDefinitionOf(draft), notes: notes ?? null };
      };
      return freeze(appId, workflowId, content, caller, receipt);
    },

    async rollback(appId, workflowId, version, { notes }, caller, receipt) {
      const source = await get(appId, workflowId, version);
      if (source.version === 0) throw invalidRollback();
      const definition = definitionOf(source);
      await checkValid(appId, definition);
      const content = async () => ({
        ...definition,
        rollback_version: source.version,
        notes: notes === undefined ? source.notes : notes,
      });
      return freeze(appId, workflowId, content, caller, receipt);
    },

    async list(appId, workflowId, query) {
      await workflows.get(appId, workflowId);
      return listPage<Version, Version>(store, versionsOf(workflowId), query, versionKey, (version) => version);
    },

    get,
    find: reader.find,

    async forRun(appId, workflowId, version) {
      if (version === "latest") {
        const { name, latest_version } = await workflows.get(appId, workflowId);
        if (latest_version === null) throw notDeployed(name);
      }
      const found = await get(appId, workflowId, version);
      if (found.version === 0) await checkValid(appId, definitionOf(found));
      return found;
    },

    async forStepTest(appId, workflowId, stepKey, outputs) {
      const { version, pointerInDraft } = stepTestVersion(await get(appId, workflowId, "draft"), stepKey, outputs);
      const id = `workv_${hash.sha256(sortedJson(checkedJson(version))).slice(0, 26)}`;
      const errors = await check(appId, definitionOf(version));
      if (errors.length > 0) {
        throw invalid(errors.map((error) => ({ ...error, pointer: pointerInDraft(error.pointer) })));
      }
      return { ...version, id };
    },
  };
}

/** Turns an error into the result of a validation, with the same limits. */
function asValidation({ errors, errors_truncated }: StepwellError): Validation {
  return omitUndefined({ valid: false, errors: [...errors], errors_truncated: errors_truncated || undefined });
}

async function throwIfInvalid(errors: Promise<readonly FieldError[]>): Promise<void> {
  const found = await errors;
  if (found.length > 0) throw invalid(found);
}

function invalidRollback(): StepwellError {
  return new StepwellError(
    "conflict",
    "The draft is not a deployed version. Roll back to the number of an earlier version.",
  );
}

/** With the name: the workflow may be the child of a step, or that of a schedule. */
const notDeployed = (name: string) =>
  new StepwellError(
    "conflict",
    `The workflow ${JSON.stringify(name)} has no deployed version. Deploy it first, or choose the version "draft".`,
  );
