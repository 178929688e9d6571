/** Exports a workflow with what it needs, or everything that an app defines. */
import type { Caller } from "../../calls/caller.ts";
import type { Collections } from "../../collections/collections.ts";
import type { Tags } from "../../collections/tags.ts";
import type { Connections } from "../../connections/connections.ts";
import type { Schedules } from "../../schedules/schedules.ts";
import type { Webhooks } from "../../webhooks/webhooks.ts";
import type { Versions } from "../../workflows/versions.ts";
import type { Workflows } from "../../workflows/workflows.ts";
import { all, type ListAll } from "../read-all.ts";
import { type Bundle, MAX_RESOURCES } from "./bundle.ts";
import { bundleOf } from "./bundle-of.ts";
import { createFollow, type Found, tooMany } from "./follow-references.ts";

export interface Exports {
  /**
   * A workflow with one version, and everything that it refers to.
   * @throws StepwellError `not_found`; `forbidden` if it needs what the key may not read; `invalid` if no import would accept
   * it, because it is too large
   */
  workflow(appId: string, workflowId: string, version: string, caller: Caller): Promise<Bundle>;
  /**
   * All workflows of the app with their drafts and latest versions, its collections, connections, tags, schedules and
   * webhooks. Leaves out schedules, rules, triggers and webhooks that cannot work because what they use was deleted.
   * @throws StepwellError as {@link workflow}
   */
  app(appId: string, caller: Caller): Promise<Bundle>;
}

interface Parts {
  workflows: Pick<Workflows, "get" | "list">;
  versions: Pick<Versions, "get" | "find">;
  collections: Pick<Collections, "get" | "list">;
  connections: Pick<Connections, "find" | "list">;
  tags: Pick<Tags, "list">;
  schedules: Pick<Schedules, "list">;
  webhooks: Pick<Webhooks, "list">;
}

export function createExports(parts: Parts): Exports {
  const { workflows, versions, collections, connections, tags, schedules, webhooks } = parts;
  const start = () => ({ workflows: new Map(), collections: new Map(), connections: new Map() });

  async function workflow(appId: string, workflowId: string, given: string, caller: Caller): Promise<Bundle> {
    const version = await versions.get(appId, workflowId, given);
    const found: Found = { ...start(), app: null };
    const follow = createFollow(parts, appId, found);
    await follow.version(await workflows.get(appId, workflowId), version);
    follow.skip(workflowId); // a workflow that runs itself runs the exported version
    await follow.end();
    return bundleOf(found, caller, { root: workflowId, root_version: version.version });
  }

  async function app(appId: string, caller: Caller): Promise<Bundle> {
    const defined = {
      tags: await atMost("tags", (page) => tags.list(appId, { search: "", ...page })),
      schedules: await atMost("schedules", (page) => schedules.list(appId, page)),
      webhooks: await atMost("webhooks", (page) => webhooks.list(appId, page)),
    };
    const found: Found = { ...start(), app: defined };
    const follow = createFollow(parts, appId, found);
    for await (const one of all((page) => workflows.list(appId, page))) {
      await follow.version(one, await versions.get(appId, one.id, "draft"));
      if (one.latest_version !== null) await follow.version(one, await versions.get(appId, one.id, "latest"));
    }
    const query = { search: "", tags: [], deleted: false };
    for await (const one of all((page) => collections.list(appId, { ...page, ...query }, false))) {
      follow.collection(one);
      follow.add(one.triggers);
    }
    for await (const one of all((page) => connections.list(appId, page))) follow.connection(one);
    for (const { workflow_id, version, input } of defined.schedules) {
      follow.add(input);
      if (version !== "latest" && version !== "draft") await follow.tryVersion(workflow_id, version);
    }
    await follow.end();
    return bundleOf(found, caller);
  }

  return { workflow, app };
}

/** @throws StepwellError `invalid` if there are more than an import accepts */
async function atMost<Item>(what: string, list: ListAll<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of all(list)) if (items.push(item) > MAX_RESOURCES) throw tooMany(what);
  return items;
}
