/** Finds what uses a workflow, a collection or a connection, and what happens to it when that is deleted. */
import type { ApiKeyScope } from "../../api/caller.ts";
import type { Collections } from "../../collections/collections.ts";
import type { Connections } from "../../connections/connections.ts";
import type { ResourceUser } from "../../errors.ts";
import type { Schedules } from "../../schedules/schedules.ts";
import type { Versions } from "../../workflows/versions.ts";
import type { Workflows } from "../../workflows/workflows.ts";
import { all } from "../read-all.ts";
import { idsIn } from "../transfer/references.ts";

export interface Used {
  readonly app_id: string;
  readonly id: string;
  readonly kind: "workflow" | "collection" | "connection";
}

/** Something that uses a resource. */
export interface User extends ResourceUser {
  /** The scope that shows it. */
  readonly scope: ApiKeyScope;
}

export interface UsageParts {
  readonly workflows: Pick<Workflows, "get" | "list" | "remove">;
  readonly versions: Pick<Versions, "find">;
  readonly collections: Pick<Collections, "get" | "list" | "remove" | "changeConfig" | "changeTriggers">;
  readonly connections: Pick<Connections, "get" | "remove">;
  readonly schedules: Pick<Schedules, "list" | "update">;
}

/**
 * Yields what uses a resource now: schedules that are not paused, rules and triggers that are enabled, and the latest versions
 * of workflows. Reads all of them, because an index would have to be kept by every change, and deletions are rare.
 */
export async function* findUsers(parts: UsageParts, used: Used): AsyncGenerator<User, void> {
  if (used.kind === "workflow") yield* schedulesOf(parts, used);
  if (used.kind !== "collection") yield* usersInCollections(parts, used);
  for await (const { id, name, latest_version_id } of all((page) => parts.workflows.list(used.app_id, page))) {
    if (id === used.id || latest_version_id === null) continue;
    const version = await parts.versions.find(latest_version_id);
    if (version === null) continue;
    const { input, input_default, steps, settings = null } = version;
    if (!idsIn({ input, input_default, steps, settings }).has(used.id)) continue;
    yield { type: "workflow", id, name, scope: "workflows:read" };
  }
}

async function* schedulesOf({ schedules }: UsageParts, { app_id, id }: Used): AsyncGenerator<User, void> {
  for await (const one of all((page) => schedules.list(app_id, { ...page, workflow_id: id }))) {
    if (!one.paused) yield { type: "schedule", id: one.id, name: one.name, scope: "schedules:read" };
  }
}

async function* usersInCollections(
  { collections }: UsageParts,
  { app_id, id, kind }: Used,
): AsyncGenerator<User, void> {
  const query = { search: "", tags: [], deleted: false };
  const scope = "collections:read";
  for await (const one of all((page) => collections.list(app_id, { ...page, ...query }, false))) {
    const collection_id = one.id;
    if (kind === "workflow") {
      for (const { key, name, workflow_id, disabled } of one.config.rules) {
        if (workflow_id === id && !disabled) yield { type: "rule", id: key, name, collection_id, scope };
      }
    } else {
      for (const trigger of one.triggers) {
        if (trigger.connection_id === id && trigger.enabled) {
          yield { type: "trigger", id: trigger.id, name: trigger.name, collection_id, scope };
        }
      }
    }
  }
}
