/** Incoming hooks of input steps: maps a method and a path of an app to a step. */

import { deleteAllListed, rowIds, updateDocument } from "../documents/documents.ts";
import { foldText } from "../documents/pagination.ts";
import { trimEnds } from "../encoding/trim.ts";
import { hasLoneSurrogate, UNPAIRED } from "../encoding/url-component.ts";
import { type FieldError, MAX_ERRORS, notFound, StepwellError } from "../errors.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Change, Key, Store, Stored } from "../ports/store.ts";
import type { SigningSecret } from "../signatures/signature-form.ts";
import { instant } from "../time/iso.ts";
import type { Step } from "../workflows/step.ts";
import type { HookDocument } from "./hook.ts";
import { isPattern, matchPath, overlap, parameterProblem, patternMark } from "./path-pattern.ts";

export interface Hooks {
  /** The hook for this method and path with the parameters of the path, or null. An exact path comes before a pattern. */
  find(appId: string, method: string, path: string): Promise<FoundHook | null>;
  /** @throws StepwellError `not_found` */
  get(appId: string, hookId: string): Promise<HookDocument>;
  /**
   * Creates a hook that no workflow has yet, with its secrets.
   * @throws StepwellError `invalid` for a path that no request can have; `conflict` if the hook exists
   */
  create(
    appId: string,
    at: Pick<HookDocument, "method" | "path">,
    secretsOf: (hook: HookDocument) => Promise<readonly SigningSecret[]>,
    receipt: (hook: HookDocument) => readonly Change[],
  ): Promise<HookDocument>;
  /** Problems of deploying these steps: two hooks with the same URL, or one that another workflow has. */
  problems(appId: string, workflowId: string, steps: readonly Step[]): Promise<FieldError[]>;
  /**
   * The changes to commit with a version: claims the hook URLs of its steps and releases those that it no longer has. A
   * URL that requires a signature keeps requiring it, whichever workflow claims it next.
   */
  changes(appId: string, workflowId: string, before: readonly Step[], steps: readonly Step[]): Promise<Change[]>;
  /**
   * Changes the secrets of a hook.
   * @throws StepwellError `not_found`
   */
  sign(
    appId: string,
    hookId: string,
    decide: (hook: HookDocument) => Promise<readonly SigningSecret[]> | readonly SigningSecret[],
  ): Promise<HookDocument>;
  /** Deletes all hooks of a deleted app, and their secrets. */
  deleteAll(appId: string, isStopped: () => boolean): Promise<void>;
}

/** A hook that a deployed workflow has. */
export interface HeldHook extends HookDocument {
  readonly workflow_id: string;
  readonly step_key: string;
}

export interface FoundHook {
  readonly hook: HeldHook;
  /** Values by the names of the parameters of its path. */
  readonly params: Readonly<Record<string, string>>;
}

type ClaimedHook = Pick<
  HeldHook,
  "id" | "app_id" | "method" | "path" | "respond" | "form" | "workflow_id" | "step_key"
>;

const PREFIX = "hook_";
/** The format of generated ids; callers may pass anything. */
const ID = /^hook_[0-9a-f]{40}$/;
export const hooksOf = (appId: string) => `hooks.${appId}`;
export const hookKey = (hookId: string): Key => `hook:${hookId.slice(PREFIX.length)}`;
export const isHookKey = (key: string | undefined) => key?.startsWith("hook:") === true;

export function createHooks(parts: { store: Store; clock: Clock; hash: Hash }): Hooks {
  const { store, clock, hash } = parts;

  const idOf = (appId: string, method: string, path: string) =>
    `${PREFIX}${hash.sha256(JSON.stringify([appId, method, path])).slice(0, 40)}`;

  /** The hook of an input step. Its default path is `WORKFLOW_ID/STEP_KEY`. */
  function hookOf(appId: string, workflowId: string, step: Step): ClaimedHook | null {
    if (step.type !== "input" || step.webhook === undefined) return null;
    const { method, path: given = "", respond = "run", form = false } = step.webhook;
    const path = bare(given) === "" ? bare(`${workflowId}/${step.key}`) : bare(given);
    const id = idOf(appId, method, path);
    return { id, app_id: appId, method, path, respond, form, workflow_id: workflowId, step_key: step.key };
  }

  /** The hooks whose paths have parameters and as many segments as this one. */
  async function* patterns(appId: string, method: string, path: string): AsyncGenerator<HookDocument, void> {
    for await (const id of rowIds(store, hooksOf(appId), { marks: [[patternMark(method, path)]] })) {
      const found = await store.get<HookDocument>(hookKey(id));
      if (found !== null) yield found.document;
    }
  }

  /** The held hook whose pattern overlaps with that of another one. */
  async function overlapping(hook: ClaimedHook): Promise<HookDocument | null> {
    if (!isPattern(hook.path)) return null;
    for await (const other of patterns(hook.app_id, hook.method, hook.path)) {
      const isOther = other.id !== hook.id && other.workflow_id !== null && other.workflow_id !== hook.workflow_id;
      if (isOther && overlap(other.path, hook.path)) return other;
    }
    return null;
  }

  function claimChange(found: Stored<HookDocument> | null, claimed: ClaimedHook): Change {
    const { secrets = [], created_at = instant(clock.now()) } = found?.document ?? {};
    return hookChange({ ...claimed, secrets, created_at }, found?.version ?? null);
  }

  return {
    async find(appId, method, given) {
      const path = bare(given);
      const exact = await store.get<HookDocument>(hookKey(idOf(appId, method, path)));
      if (exact !== null && isHeld(exact.document))
        return { hook: exact.document, params: matchPath(path, path) ?? {} };
      for await (const hook of patterns(appId, method, path)) {
        const params = matchPath(hook.path, path);
        if (params !== null && isHeld(hook)) return { hook, params };
      }
      return null;
    },

    async get(appId, hookId) {
      checkId(hookId);
      return own(await store.get<HookDocument>(hookKey(hookId)), appId, hookId).document;
    },

    async create(appId, { method, path: given }, secretsOf, receipt) {
      const path = bare(given);
      const reason = pathProblem(path) ?? parameterProblem(path);
      if (reason !== null) throw invalid([{ pointer: "/path", message: reason }]);
      const id = idOf(appId, method, path);
      const hook: HookDocument = {
        ...{
          id,
          app_id: appId,
          method,
          path,
          respond: "run",
          form: false,
          workflow_id: null,
          step_key: null,
          secrets: [],
        },
        created_at: instant(clock.now()),
      };
      const signed = { ...hook, secrets: await secretsOf(hook) };
      return updateDocument<HookDocument, HookDocument>(store, hookKey(id), (found) => {
        if (found === null) return { changes: [hookChange(signed, null), ...receipt(signed)], result: signed };
        const message = `The webhook ${method} /${path} already exists with the id ${id}. Set its signature instead.`;
        throw new StepwellError("conflict", message);
      });
    },

    async problems(appId, workflowId, steps) {
      const problems: FieldError[] = [];
      const seen = new Map<string, ClaimedHook>();
      for (const [index, step] of steps.entries()) {
        const hook = hookOf(appId, workflowId, step);
        if (hook === null) continue;
        if (problems.length > MAX_ERRORS) break;
        const problem = (message: string) => problems.push({ pointer: `/steps/${index}/webhook`, message });
        const what = `${hook.method} /${hook.path}`;
        if (hook.form && hook.method !== "POST") {
          problems.push({
            pointer: `/steps/${index}/webhook/form`,
            message: "Must be omitted: a form needs the method POST.",
          });
        }
        const reason = pathProblem(hook.path) ?? parameterProblem(hook.path);
        if (reason !== null) {
          problems.push({ pointer: `/steps/${index}/webhook/path`, message: reason });
          continue;
        }
        const isAmbiguous = (path: string) => isPattern(path) && isPattern(hook.path) && overlap(path, hook.path);
        const own = [...seen.values()].find(({ path, method }) => method === hook.method && isAmbiguous(path));
        const others = own ?? (await overlapping(hook));
        if (others !== null && others.id !== hook.id) {
          problem(`A request could match both ${what} and ${hook.method} /${others.path}. Change one of the paths.`);
        }
        const other = seen.get(hook.id);
        if (other !== undefined) problem(`The step ${JSON.stringify(other.step_key)} already has the webhook ${what}.`);
        seen.set(hook.id, hook);
        const holder = (await store.get<HookDocument>(hookKey(hook.id)))?.document.workflow_id ?? null;
        if (holder !== null && holder !== workflowId) {
          problem(`The workflow ${holder} already has the webhook ${what}.`);
        }
      }
      return problems;
    },

    async changes(appId, workflowId, before, steps) {
      const hooks = (all: readonly Step[]) =>
        new Map(
          all.flatMap((step) => {
            const hook = hookOf(appId, workflowId, step);
            return hook === null ? [] : [[hook.id, hook] as const];
          }),
        );
      const claimed = hooks(steps);
      const changes: Change[] = [];
      for (const [id, hook] of claimed) changes.push(claimChange(await store.get<HookDocument>(hookKey(id)), hook));
      for (const [id] of hooks(before)) {
        const held = claimed.has(id) ? null : await store.get<HookDocument>(hookKey(id));
        if (held?.document.workflow_id !== workflowId) continue;
        changes.push(hookChange({ ...held.document, workflow_id: null, step_key: null }, held.version));
      }
      return changes;
    },

    async sign(appId, hookId, decide) {
      checkId(hookId);
      return updateDocument<HookDocument, HookDocument>(store, hookKey(hookId), async (found) => {
        const { document, version } = own(found, appId, hookId);
        const hook = { ...document, secrets: await decide(document) };
        return { changes: [hookChange(hook, version)], result: hook };
      });
    },

    deleteAll: (appId, isStopped) => deleteAllListed<HookDocument>(store, hooksOf(appId), hookKey, deletion, isStopped),
  };
}

function own(found: Stored<HookDocument> | null, appId: string, hookId: string): Stored<HookDocument> {
  if (found === null || found.document.app_id !== appId) throw notFound("webhook", hookId);
  return found;
}

function checkId(hookId: string): void {
  if (!ID.test(hookId)) throw notFound("webhook", hookId);
}

const isHeld = (hook: HookDocument): hook is HeldHook => hook.workflow_id !== null && hook.step_key !== null;

/** Deletes a hook that no workflow has and that requires no signature. */
function hookChange(hook: HookDocument, expected: number | null): Change {
  const { id, app_id, method, path, workflow_id, created_at } = hook;
  if (workflow_id === null && hook.secrets.length === 0) return deletion(hook, expected);
  const marks = [
    ...(workflow_id === null ? [] : [`workflow:${workflow_id}`]),
    ...(isPattern(path) ? [patternMark(method, path)] : []),
  ];
  const put = { id, order: created_at, text: foldText(path), marks };
  return { key: hookKey(id), document: hook, expected, rows: [{ list: hooksOf(app_id), put }] };
}

function deletion({ id, app_id }: HookDocument, expected: number | null): Change {
  return { key: hookKey(id), document: null, expected, rows: [{ list: hooksOf(app_id), delete: id }] };
}

const bare = (path: string) => trimEnds(path, "/");

/** Clients resolve dot segments before they send a request, and an empty segment makes a different URL. */
const isKept = (segment: string) => segment !== "" && segment !== "." && segment !== "..";

/** Why no request can have the path; null if one can. */
function pathProblem(path: string): string | null {
  if (hasLoneSurrogate(path)) return UNPAIRED;
  if (path.split("/").every(isKept)) return null;
  const right = path.split("/").filter(isKept).join("/");
  const instead = right === "" ? "" : `, such as ${JSON.stringify(right)}`;
  return `No request can reach the path ${JSON.stringify(path)}. Remove empty segments, "." and ".."${instead}.`;
}
