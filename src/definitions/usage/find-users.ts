/** Finds what uses a workflow, a collection or a connection, by the rows that its users have in a list of it. */
import type { ApiKeyScope } from "../../calls/caller.ts";
import type { Collections } from "../../collections/collections.ts";
import { rowIds } from "../../documents/documents.ts";
import { unlessMissing } from "../../documents/look-up.ts";
import { usersOf } from "../../documents/uses.ts";
import type { ResourceUser } from "../../errors.ts";
import type { Store } from "../../ports/store.ts";
import type { Schedules } from "../../schedules/schedules.ts";
import type { Workflows } from "../../workflows/workflows.ts";

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
  readonly store: Store;
  readonly workflows: Pick<Workflows, "get">;
  readonly collections: Pick<Collections, "get">;
  readonly schedules: Pick<Schedules, "get">;
}

/** The documents that can use a resource, by the prefix of their ids, in the order in which users are listed. */
export const HOLDERS = ["sched", "coll", "work"] as const;
export type Holder = (typeof HOLDERS)[number];

/** The rows of one kind of holder. Rows are ordered by ids, and `~` comes after all characters of ids. */
export const rangeOf = (holder: Holder) => ({ from: `${holder}_`, until: `${holder}_~` });

/** Whether such documents use the resource. */
export async function hasUsers(store: Store, { id }: Used, holder: Holder): Promise<boolean> {
  const query = { limit: 1, withoutTotal: true, ...rangeOf(holder) };
  return (await store.list(usersOf(id), query)).ids.length > 0;
}

/**
 * Yields what uses a resource now: schedules that are not paused, rules and triggers that are enabled, and the latest versions
 * of workflows.
 */
export async function* findUsers(parts: UsageParts, used: Used): AsyncGenerator<User, void> {
  for (const holder of HOLDERS) {
    for await (const id of rowIds(parts.store, usersOf(used.id), rangeOf(holder))) {
      yield* USERS_IN[holder](parts, used, id);
    }
  }
}

type UsersIn = (parts: UsageParts, used: Used, holderId: string) => AsyncGenerator<User, void>;

const USERS_IN: Readonly<Record<Holder, UsersIn>> = {
  async *sched({ schedules }, { app_id }, id) {
    const schedule = await unlessMissing(schedules.get(app_id, id));
    if (schedule !== null) yield { type: "schedule", id, name: schedule.name, scope: "schedules:read" };
  },

  async *coll({ collections }, { app_id, id }, collection_id) {
    const collection = await unlessMissing(collections.get(app_id, collection_id, false));
    const scope = "collections:read";
    for (const { key, name, workflow_id, disabled } of collection?.config.rules ?? []) {
      if (workflow_id === id && !disabled) yield { type: "rule", id: key, name, collection_id, scope };
    }
    for (const { id: triggerId, name, connection_id, enabled } of collection?.triggers ?? []) {
      if (connection_id === id && enabled) yield { type: "trigger", id: triggerId, name, collection_id, scope };
    }
  },

  async *work({ workflows }, { app_id }, id) {
    const workflow = await unlessMissing(workflows.get(app_id, id));
    if (workflow !== null) yield { type: "workflow", id, name: workflow.name, scope: "workflows:read" };
  },
};
