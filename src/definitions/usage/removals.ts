/** Deletes workflows, collections and connections, unless something uses them. */
import { type ApiKeyScope, type Caller, hasScope, requireScope } from "../../calls/caller.ts";
import type { Collections } from "../../collections/collections.ts";
import type { Connections } from "../../connections/connections.ts";
import { checkRevision, type Revised } from "../../documents/expected-version.ts";
import type { Removal } from "../../documents/removal.ts";
import type { UseGuard } from "../../documents/use-guard.ts";
import { MAX_ERRORS, StepwellError } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import type { Change } from "../../ports/store.ts";
import type { Workflows } from "../../workflows/workflows.ts";
import { findUsers, type Holder, hasUsers, type UsageParts, type Used, type User } from "./find-users.ts";
import type { ReleaseUsers } from "./release-users.ts";

export interface Removals {
  /**
   * Deletes a resource.
   * @throws StepwellError `not_found`; `precondition_failed`; `conflict` with the list of its users, unless `force`; `forbidden`
   * if the key may not pause or disable them
   */
  remove(used: Used, removal: Removal, caller: Caller): Promise<void>;
}

interface Parts extends UsageParts {
  readonly uses: Pick<UseGuard, "removing">;
  readonly releaseUsers: Pick<ReleaseUsers, "marker" | "release">;
  readonly workflows: Pick<Workflows, "get" | "remove">;
  readonly collections: Pick<Collections, "get" | "remove">;
  readonly connections: Pick<Connections, "get" | "remove">;
}

export function createRemovals(parts: Parts): Removals {
  const { store, uses, releaseUsers, workflows, collections, connections } = parts;

  function get({ app_id, id, kind }: Used): Promise<Revised & { readonly deleted?: boolean }> {
    if (kind === "workflow") return workflows.get(app_id, id);
    return kind === "collection" ? collections.get(app_id, id, false) : connections.get(app_id, id);
  }

  function removeNow({ app_id, id, kind }: Used, { revisions }: Removal, alsoCommit: readonly Change[]): Promise<void> {
    const slice = kind === "workflow" ? workflows : kind === "collection" ? collections : connections;
    return slice.remove(app_id, id, revisions, alsoCommit);
  }

  async function requireUnused(used: Used, caller: Caller): Promise<void> {
    const users: User[] = [];
    for await (const user of findUsers(parts, used)) if (users.push(user) > MAX_ERRORS) break;
    if (users.length > 0) throw inUse(used.kind, users, caller);
  }

  /** @returns Whether users must be paused or disabled. @throws StepwellError `forbidden` if the key may not do so */
  async function requireRelease(used: Used, caller: Caller): Promise<boolean> {
    let isUsed = false;
    for (const [holder, scope] of SCOPES_TO_RELEASE) {
      if (!(await hasUsers(store, used, holder))) continue;
      requireScope(caller, scope);
      isUsed = true;
    }
    return isUsed;
  }

  return {
    async remove(used, removal, caller) {
      const before = await get(used);
      checkRevision(used.kind, before, removal.revisions);
      // `collections.remove` refuses a collection that is deleted already.
      if (before.deleted === true) return removeNow(used, removal, []);
      const needsRelease = await uses.removing(used.id, async (alsoCommit) => {
        if (!removal.force) await requireUnused(used, caller);
        const isUsed = removal.force && (await requireRelease(used, caller));
        await removeNow(used, removal, isUsed ? [releaseUsers.marker(used), ...alsoCommit] : alsoCommit);
        return isUsed;
      });
      // After the deletion, so that a refused one changes nothing.
      if (needsRelease) await releaseUsers.release(used);
    },
  };
}

/** The scopes that pausing or disabling users takes. Workflows stay as they are. */
const SCOPES_TO_RELEASE: readonly (readonly [Holder, ApiKeyScope])[] = [
  ["sched", "schedules:write"],
  ["coll", "collections:write"],
];

function inUse(kind: Used["kind"], users: readonly User[], caller: Caller): StepwellError {
  const more = users.length > MAX_ERRORS ? "more than " : "";
  const count = Math.min(users.length, MAX_ERRORS);
  const message = `The ${kind} is in use by ${more}${count} ${count === 1 ? "resource" : "resources"}, listed in users if you can read them. Remove these uses first, or delete it with force=true.`;
  const shown = users.slice(0, MAX_ERRORS).filter(({ scope }) => hasScope(caller, scope));
  return new StepwellError("conflict", message, {
    users: shown.map(({ type, id, name, collection_id }) => ({ type, id, name, ...omitUndefined({ collection_id }) })),
  });
}
