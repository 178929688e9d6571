/** Who uses a workflow, a collection or a connection: what keeps it from being deleted. */
import * as v from "valibot";
import { type Caller, hasScope } from "../../calls/caller.ts";
import { notFound } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import { list } from "../../schema.ts";
import { findUsers, type UsageParts, type Used } from "./find-users.ts";

const ResourceUse = v.object({
  /** What it is. */
  type: v.picklist(["workflow", "schedule", "rule", "trigger"]),
  /** Its id, or the key of a rule. */
  id: v.string(),
  /** Its name for people. */
  name: v.nullable(v.string()),
  /** Collection of a rule or trigger. */
  collection_id: v.exactOptional(v.string()),
  /** Version of the workflow that a schedule or a rule runs: `latest`, `draft`, or the id or number of a version. */
  version: v.exactOptional(v.string()),
});

export const Uses = v.object({
  /**
   * What uses it now, at most 100: schedules that are not paused, enabled rules and triggers, and workflows whose latest version
   * names it. Without what the key may not read.
   */
  users: list(ResourceUse),
  /** Whether there are more. */
  more: v.boolean(),
});
/** What uses a resource. */
export interface Uses extends Readonly<v.InferOutput<typeof Uses>> {
  /** What uses it now, at most 100. */
  readonly users: readonly v.InferOutput<typeof ResourceUse>[];
}

export interface FindUses {
  /** @throws StepwellError `not_found` */
  find(used: Used, caller: Caller): Promise<Uses>;
}

/** As many as the refused deletion lists. */
const MAX_USERS = 100;

export function createFindUses(
  parts: UsageParts & {
    readonly connections: { get(appId: string, connectionId: string): Promise<unknown> };
  },
): FindUses {
  const { workflows, collections, connections } = parts;

  async function require({ app_id, id, kind }: Used): Promise<void> {
    if (kind === "workflow") await workflows.get(app_id, id);
    else if (kind === "connection") await connections.get(app_id, id);
    else if ((await collections.get(app_id, id, false)).deleted) throw notFound("collection", id);
  }

  return {
    async find(used, caller) {
      await require(used);
      const users: Uses["users"][number][] = [];
      for await (const { type, id, name, collection_id, version, scope } of findUsers(parts, used)) {
        if (!hasScope(caller, scope)) continue;
        if (users.length === MAX_USERS) return { users, more: true };
        users.push({ type, id, name, ...omitUndefined({ collection_id, version }) });
      }
      return { users, more: false };
    },
  };
}
