/** Exports a workflow with what it needs, or everything that an app defines. */
import type { Caller } from "../../api/caller.ts";
import type { Collection } from "../../collections/collection.ts";
import type { Collections } from "../../collections/collections.ts";
import type { Connection } from "../../connections/connection.ts";
import type { Connections } from "../../connections/connections.ts";
import { StepwellError } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import type { Version } from "../../workflows/version.ts";
import type { Versions } from "../../workflows/versions.ts";
import type { Workflow } from "../../workflows/workflow.ts";
import type { Workflows } from "../../workflows/workflows.ts";
import { all, unlessMissing } from "../read-all.ts";
import { requireScope } from "../require-scope.ts";
import { type Bundle, MAX_BUNDLE_BYTES } from "./bundle.ts";
import { idsIn, pinsIn, usesDraftOf } from "./references.ts";

export interface Exports {
  /**
   * A workflow with one version, and everything that it refers to.
   * @throws StepwellError `not_found`; `forbidden` if it needs what the key may not read; `invalid` if it is too large
   */
  workflow(appId: string, workflowId: string, version: string, caller: Caller): Promise<Bundle>;
  /**
   * All workflows of the app with their drafts and latest versions, its collections and its connections.
   * @throws StepwellError as {@link workflow}
   */
  app(appId: string, caller: Caller): Promise<Bundle>;
}

interface Exported {
  readonly workflow: Workflow;
  draft: Version | null;
  readonly versions: Map<number, Version>;
}

/** What an export contains so far. */
interface Found {
  readonly workflows: Map<string, Exported>;
  readonly collections: Map<string, Collection>;
  readonly connections: Map<string, Connection>;
}

interface Parts {
  workflows: Pick<Workflows, "get" | "list">;
  versions: Pick<Versions, "get" | "find">;
  collections: Pick<Collections, "get" | "list">;
  connections: Pick<Connections, "find" | "list">;
}

export function createExports(parts: Parts): Exports {
  const start = (): Found => ({ workflows: new Map(), collections: new Map(), connections: new Map() });

  async function workflow(appId: string, workflowId: string, given: string, caller: Caller): Promise<Bundle> {
    const version = await parts.versions.get(appId, workflowId, given);
    const found = start();
    const follow = createFollow(parts, appId, found);
    await follow.version(await parts.workflows.get(appId, workflowId), version);
    follow.skip(workflowId); // a workflow that runs itself runs the exported version
    await follow.end();
    return { ...bundleOf(found, caller), root: workflowId };
  }

  async function app(appId: string, caller: Caller): Promise<Bundle> {
    const found = start();
    const follow = createFollow(parts, appId, found);
    for await (const one of all((page) => parts.workflows.list(appId, page))) {
      await follow.version(one, await parts.versions.get(appId, one.id, "draft"));
      if (one.latest_version !== null) await follow.version(one, await parts.versions.get(appId, one.id, "latest"));
    }
    const query = { search: "", tags: [], deleted: false };
    for await (const one of all((page) => parts.collections.list(appId, { ...page, ...query }, false))) {
      follow.collection(one);
    }
    for await (const one of all((page) => parts.connections.list(appId, page))) found.connections.set(one.id, one);
    await follow.end();
    return bundleOf(found, caller);
  }

  return { workflow, app };
}

/** Adds things to an export, and then all that they refer to. */
function createFollow({ workflows, versions, collections, connections }: Parts, appId: string, found: Found) {
  const open: object[] = [];
  const seen = new Set<string>();
  let size = 0;

  function add(value: object): void {
    size += JSON.stringify(value).length;
    // Bounds what is read. Drafts that equal their last version are left out, so the document may have half of this.
    if (size > 2 * MAX_BUNDLE_BYTES) throw tooLarge();
    open.push(value);
  }

  async function version(workflow: Workflow, one: Version): Promise<void> {
    const entry = found.workflows.get(workflow.id) ?? { workflow, draft: null, versions: new Map<number, Version>() };
    found.workflows.set(workflow.id, entry);
    if (one.version === 0) {
      if (entry.draft !== null) return;
      entry.draft = one;
    } else {
      if (entry.versions.has(one.version)) return;
      entry.versions.set(one.version, one);
    }
    const { input, input_default, input_options, steps, settings } = one;
    const definition = { input, input_default, input_options, steps, ...omitUndefined({ settings }) };
    add(definition);
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
    found.collections.set(one.id, one);
    const { rules, mappings, indexes } = one.config;
    add({ rules, mappings, indexes });
  }

  async function refer(id: string): Promise<void> {
    if (id.startsWith("con_")) {
      const [one] = await connections.find(appId, [id]);
      if (one != null) found.connections.set(id, one);
    } else if (id.startsWith("coll_")) {
      const one = await unlessMissing(collections.get(appId, id, false));
      if (one !== null) collection(one);
    } else if (id.startsWith("workv_")) {
      const one = await versions.find(id);
      if (one !== null && one.app_id === appId && one.version > 0) await tryVersion(one.workflow_id, id);
    } else {
      const one = await unlessMissing(workflows.get(appId, id));
      if (one !== null) await tryVersion(id, one.latest_version === null ? "draft" : "latest");
    }
  }

  return {
    version,
    collection,
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

function bundleOf(found: Found, caller: Caller): Bundle {
  if (found.collections.size > 0) requireScope(caller, "collections:read");
  if (found.connections.size > 0) requireScope(caller, "connections:read");
  const bundle: Bundle = {
    format: "stepwell",
    format_version: 1,
    workflows: [...found.workflows.values()].map(bundleWorkflow),
    collections: [...found.collections.values()].map(({ id, name, description, visibility, config }) => {
      const { rules, mappings, indexes } = config;
      return { id, name, description, visibility, config: { rules, mappings, indexes } };
    }),
    connections: [...found.connections.values()].map(({ id, name, service }) => ({ id, name, service })),
  };
  const size = new TextEncoder().encode(JSON.stringify(bundle)).length;
  if (size > MAX_BUNDLE_BYTES) throw tooLarge();
  return bundle;
}

function tooLarge(): StepwellError {
  const message = `The export exceeds the ${MAX_BUNDLE_BYTES} bytes that an import accepts. Export workflows one by one.`;
  return new StepwellError("invalid", message);
}

const definitionOf = ({ input, input_default, input_options, steps, settings }: Version) => ({
  ...{ input, input_default, input_options, steps },
  ...omitUndefined({ settings }),
});

const textOf = (version: Version) => JSON.stringify(definitionOf(version));

function bundleWorkflow({ workflow, draft, versions }: Exported): Bundle["workflows"][number] {
  const { id, name, description, visibility } = workflow;
  const sorted = [...versions.values()].sort((one, other) => one.version - other.version);
  const last = sorted.at(-1);
  // Import makes a draft of the last version if there is no other.
  const isSame = draft !== null && last !== undefined && textOf(draft) === textOf(last);
  return {
    ...{ id, name, description, visibility },
    ...omitUndefined({ draft: draft === null || isSame ? undefined : definitionOf(draft) }),
    versions: sorted.map((one) => ({ id: one.id, version: one.version, notes: one.notes, ...definitionOf(one) })),
  };
}
