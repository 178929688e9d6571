/** Deletes workflows, collections and connections, unless something uses them. */
import { type ApiKeyScope, type Caller, hasScope } from "../../api/caller.ts";
import { checkRevision, type Revised } from "../../documents/expected-version.ts";
import type { Removal } from "../../documents/removal.ts";
import { MAX_ERRORS, StepwellError } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import { requireScope } from "../require-scope.ts";
import { findUsers, type UsageParts, type Used, type User } from "./find-users.ts";

/** Users that one deletion can pause or disable. */
const MAX_FORCED = 10_000;

export interface Removals {
  /**
   * Deletes a resource.
   * @throws StepwellError `not_found`; `precondition_failed`; `conflict` with the list of its users, unless `force`; `forbidden`
   * if the key may not pause or disable them
   */
  remove(used: Used, removal: Removal, caller: Caller): Promise<void>;
}

export function createRemovals(parts: UsageParts): Removals {
  const { workflows, collections, connections, schedules } = parts;

  function get({ app_id, id, kind }: Used): Promise<Revised & { readonly deleted?: boolean }> {
    if (kind === "workflow") return workflows.get(app_id, id);
    return kind === "collection" ? collections.get(app_id, id, false) : connections.get(app_id, id);
  }

  async function disable({ app_id, id }: Used, users: readonly User[], caller: Caller): Promise<void> {
    const needed = new Set(users.flatMap(({ type }) => SCOPE_TO_CHANGE[type] ?? []));
    for (const scope of needed) requireScope(caller, scope);
    for (const user of users) {
      if (user.type === "schedule") await schedules.update(app_id, user.id, { paused: true });
    }
    const inCollections = new Set(users.flatMap(({ collection_id }) => collection_id ?? []));
    for (const collectionId of inCollections) {
      const has = (type: User["type"]) => users.some((one) => one.type === type && one.collection_id === collectionId);
      if (has("rule")) {
        await collections.changeConfig(app_id, collectionId, ({ rules }) => ({
          rules: rules.map((rule) => (rule.workflow_id === id ? { ...rule, disabled: true } : rule)),
        }));
      }
      if (has("trigger")) {
        await collections.changeTriggers(app_id, collectionId, (triggers) =>
          triggers.map((trigger) => (trigger.connection_id === id ? { ...trigger, enabled: false } : trigger)),
        );
      }
    }
  }

  return {
    async remove(used, { force, revisions }, caller) {
      const { app_id, id, kind } = used;
      const found = await get(used);
      checkRevision(kind, found, revisions);
      // A collection that is deleted already is not found below.
      if (found.deleted !== true) {
        const users: User[] = [];
        for await (const user of findUsers(parts, used)) {
          if (users.push(user) > (force ? MAX_FORCED : MAX_ERRORS)) break;
        }
        if (users.length > 0 && !force) throw inUse(kind, users, caller);
        await disable(used, users, caller);
      }
      if (kind === "workflow") return workflows.remove(app_id, id, revisions);
      return kind === "collection"
        ? collections.remove(app_id, id, revisions)
        : connections.remove(app_id, id, revisions);
    },
  };
}

/** The scope that pausing or disabling a user takes. Workflows stay as they are. */
const SCOPE_TO_CHANGE: Readonly<Partial<Record<User["type"], ApiKeyScope>>> = {
  schedule: "schedules:write",
  rule: "collections:write",
  trigger: "collections:write",
};

function inUse(kind: Used["kind"], users: readonly User[], caller: Caller): StepwellError {
  const more = users.length > MAX_ERRORS ? "more than " : "";
  const count = Math.min(users.length, MAX_ERRORS);
  const message = `The ${kind} is in use by ${more}${count} ${count === 1 ? "resource" : "resources"}, listed in users if you can read them. Remove these uses first, or delete it with force=true.`;
  const shown = users.slice(0, MAX_ERRORS).filter(({ scope }) => hasScope(caller, scope));
  return new StepwellError("conflict", message, {
    users: shown.map(({ type, id, name, collection_id }) => ({ type, id, name, ...omitUndefined({ collection_id }) })),
  });
}
