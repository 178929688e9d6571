/** Finds what uses a workflow, a collection or a connection, by the rows that its users have in a list of it. */
import type { ApiKeyScope } from "../../calls/caller.ts";
import type { Collections } from "../../collections/collections.ts";
import type { Rule } from "../../collections/rule.ts";
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
  /** Version of the workflow that a schedule or a rule runs. */
  readonly version?: string;
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
    if (schedule === null) return;
    const { name, version } = schedule;
    yield { type: "schedule", id, name, version, scope: "schedules:read" };
  },

  async *coll({ collections }, { app_id, id }, collection_id) {
    const collection = await unlessMissing(collections.get(app_id, collection_id, false));
    const scope = "collections:read";
    for (const rule of collection?.config.rules ?? []) {
      if (rule.workflow_id !== id || rule.disabled) continue;
      yield { type: "rule", id: rule.key, name: rule.name, version: versionOf(rule), collection_id, scope };
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

/** A rule without a version runs the latest one. */
const versionOf = ({ workflow_use_latest, workflow_version_id = "latest" }: Rule): string =>
  workflow_use_latest ? "latest" : workflow_version_id;
