/** Incoming webhooks of input steps: which method and path of an app lead to which step. Specification 2.2, `webhook`. */
import type { FieldError } from "../errors.ts";
import type { Hash } from "../ports/hash.ts";
import type { Change, Key, Store, Stored } from "../ports/store.ts";
import type { Step } from "./step.ts";

/** As stored: a method and a path of an app are one workflow's. */
export interface Hook {
  readonly app_id: string;
  readonly method: string;
  /** Without slashes around it. */
  readonly path: string;
  readonly workflow_id: string;
  readonly step_key: string;
}

export interface Hooks {
  find(appId: string, method: string, path: string): Promise<Hook | null>;
  /** What stands against deploying these steps: two that share an address, and one that is another workflow's. */
  problems(appId: string, workflowId: string, steps: readonly Step[]): Promise<FieldError[]>;
  /** What to commit with a version: takes the addresses of its steps, and gives back those that it has no more. */
  changes(appId: string, workflowId: string, before: readonly Step[], steps: readonly Step[]): Promise<Change[]>;
}

export const isHookKey = (key: string | undefined) => key?.startsWith("hook:") === true;

export function createHooks(parts: {
  store: Store;
  hash: Hash;
  /** Whether a workflow is there: what has gone holds no address any more. */
  isThere(appId: string, workflowId: string): Promise<boolean>;
}): Hooks {
  const { store, hash, isThere } = parts;

  const keyOf = ({ app_id, method, path }: Hook): Key =>
    `hook:${hash.sha256(JSON.stringify([app_id, method, path])).slice(0, 40)}`;

  async function holder(hook: Hook): Promise<Stored<Hook> | null> {
    const found = await store.get<Hook>(keyOf(hook));
    if (found === null || (await isThere(hook.app_id, found.document.workflow_id))) return found;
    return { ...found, document: { ...found.document, workflow_id: hook.workflow_id } };
  }

  return {
    async find(appId, method, path) {
      const wanted = { app_id: appId, method, path: bare(path), workflow_id: "", step_key: "" };
      return (await store.get<Hook>(keyOf(wanted)))?.document ?? null;
    },

    async problems(appId, workflowId, steps) {
      const problems: FieldError[] = [];
      const seen = new Map<Key, string>();
      for (const [index, step] of steps.entries()) {
        const hook = hookOf(appId, workflowId, step);
        if (hook === null) continue;
        const problem = (message: string) => problems.push({ pointer: `/steps/${index}/webhook`, message });
        const what = `${hook.method} /${hook.path}`;
        const other = seen.get(keyOf(hook));
        if (other !== undefined) problem(`The step ${JSON.stringify(other)} has the webhook ${what} already.`);
        seen.set(keyOf(hook), step.key);
        const held = await holder(hook);
        if (held !== null && held.document.workflow_id !== workflowId) {
          problem(`The webhook ${what} is the one of the workflow ${held.document.workflow_id} already.`);
        }
      }
      return problems;
    },

    async changes(appId, workflowId, before, steps) {
      const hooks = (all: readonly Step[]) =>
        new Map(
          all.flatMap((step) => {
            const hook = hookOf(appId, workflowId, step);
            return hook === null ? [] : [[keyOf(hook), hook] as const];
          }),
        );
      const wanted = hooks(steps);
      const changes: Change[] = [];
      for (const [key, hook] of wanted) {
        changes.push({ key, document: hook, expected: (await store.get(key))?.version ?? null });
      }
      for (const [key] of hooks(before)) {
        const held = wanted.has(key) ? null : await store.get<Hook>(key);
        if (held?.document.workflow_id === workflowId) {
          changes.push({ key, document: null, expected: held.version });
        }
      }
      return changes;
    },
  };
}

/** The webhook of an input step; without a path it is found under the workflow and the step. */
function hookOf(appId: string, workflowId: string, step: Step): Hook | null {
  if (step.type !== "input" || step.webhook === undefined) return null;
  const { method, path = "" } = step.webhook;
  const given = bare(path);
  return {
    app_id: appId,
    method,
    path: given === "" ? bare(`${workflowId}/${step.key}`) : given,
    workflow_id: workflowId,
    step_key: step.key,
  };
}

const bare = (path: string) => path.replace(/^\/+|\/+$/g, "");
