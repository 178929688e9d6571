/** Collects what an export contains: things, and then all that they refer to. */
import type { Collection } from "../../collections/collection.ts";
import type { Collections } from "../../collections/collections.ts";
import type { Tag } from "../../collections/tag.ts";
import type { Connection } from "../../connections/connection.ts";
import type { Connections } from "../../connections/connections.ts";
import { unlessMissing } from "../../documents/look-up.ts";
import { idsIn } from "../../documents/references.ts";
import { StepwellError } from "../../errors.ts";
import type { Schedule } from "../../schedules/schedule.ts";
import type { Webhook } from "../../webhooks/webhook.ts";
import { deployedDefinitionOf, type Version } from "../../workflows/version.ts";
import type { Versions } from "../../workflows/versions.ts";
import type { Workflow } from "../../workflows/workflow.ts";
import type { Workflows } from "../../workflows/workflows.ts";
import { MAX_BUNDLE_BYTES, MAX_RESOURCES, MAX_VERSIONS } from "./bundle.ts";
import { pinsIn, usesDraftOf } from "./references.ts";

export interface FoundWorkflow {
  readonly workflow: Workflow;
  draft: Version | null;
  readonly versions: Map<number, Version>;
}

/** What an export contains so far. */
export interface Found {
  readonly workflows: Map<string, FoundWorkflow>;
  readonly collections: Map<string, Collection>;
  readonly connections: Map<string, Connection>;
  /** What only the export of an app has. */
  readonly app: {
    readonly tags: readonly Tag[];
    readonly schedules: readonly Schedule[];
    readonly webhooks: readonly Webhook[];
  } | null;
}

export interface FollowedSlices {
  workflows: Pick<Workflows, "get">;
  versions: Pick<Versions, "get" | "find">;
  collections: Pick<Collections, "get">;
  connections: Pick<Connections, "find">;
}

export const TOO_MANY_BYTES = `it exceeds ${MAX_BUNDLE_BYTES} bytes`;

export const tooMany = (what: string) => tooLarge(`it has more than ${MAX_RESOURCES} ${what}`);

export function tooLarge(why: string): StepwellError {
  return new StepwellError("invalid", `No import would accept the export: ${why}. Export workflows one by one.`);
}

/** Adds things to an export, and then all that they refer to. */
export function createFollow(
  { workflows, versions, collections, connections }: FollowedSlices,
  appId: string,
  found: Found,
) {
  const open: object[] = [];
  const seen = new Set<string>();
  let size = 0;

  function add(value: object): void {
    size += JSON.stringify(value).length;
    // Bounds what is read. Drafts that equal their last version are left out, so the document may have half of this.
    if (size > 2 * MAX_BUNDLE_BYTES) throw tooLarge(TOO_MANY_BYTES);
    open.push(value);
  }

  async function version(workflow: Workflow, one: Version): Promise<void> {
    const entry = found.workflows.get(workflow.id) ?? { workflow, draft: null, versions: new Map<number, Version>() };
    found.workflows.set(workflow.id, entry);
    if (found.workflows.size > MAX_RESOURCES) throw tooMany("workflows");
    if (one.version === 0) {
      if (entry.draft !== null) return;
      entry.draft = one;
    } else {
      if (entry.versions.has(one.version)) return;
      entry.versions.set(one.version, one);
      if (entry.versions.size > MAX_VERSIONS) {
        throw tooLarge(`it needs more than ${MAX_VERSIONS} versions of the workflow ${workflow.id}`);
      }
    }
    add(deployedDefinitionOf(one));
    for (const pin of pinsIn(one)) await tryVersion(pin.workflow_id, String(pin.version));
    for (const id of usesDraftOf(one)) await tryVersion(id, "draft");
  }

  /** Ignores what the app does not have: deploying reports it. */
  async function tryVersion(workflowId: string, given: string): Promise<void> {
    const one = await unlessMissing(versions.get(appId, workflowId, given));
    if (one !== null) await version(await workflows.get(appId, workflowId), one);
  }

  function collection(one: Collection): void {
    if (found.collections.has(one.id) || one.deleted) return;
    if (found.collections.size >= MAX_RESOURCES) throw tooMany("collections");
    found.collections.set(one.id, one);
    const { rules, mappings, indexes } = one.config;
    add({ rules, mappings, indexes });
  }

  function connection(one: Connection): void {
    found.connections.set(one.id, one);
    if (found.connections.size > MAX_RESOURCES) throw tooMany("connections");
  }

  async function refer(id: string): Promise<void> {
    if (id.startsWith("con_")) {
      const [one] = await connections.find(appId, [id]);
      if (one != null) connection(one);
    } else if (id.startsWith("coll_")) {
      const one = await unlessMissing(collections.get(appId, id, false));
      if (one !== null) collection(one);
    } else if (id.startsWith("workv_")) {
      const one = await versions.find(id);
      if (one !== null && one.app_id === appId && one.version > 0) await tryVersion(one.workflow_id, id);
    } else if (id.startsWith("work_")) {
      const one = await unlessMissing(workflows.get(appId, id));
      if (one !== null) await tryVersion(id, one.latest_version === null ? "draft" : "latest");
    }
  }

  return {
    add,
    version,
    tryVersion,
    collection,
    connection,
    /** Does not follow references to this id. */
    skip: (id: string) => seen.add(id),
    async end() {
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        for (const id of idsIn(next)) {
          if (seen.has(id)) continue;
          seen.add(id);
          await refer(id);
        }
      }
    },
  };
}
