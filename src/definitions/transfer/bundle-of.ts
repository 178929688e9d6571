/** The document of an export. What is listed is in the order of its ids, so that equal definitions give equal documents. */
import { type Caller, requireScope } from "../../calls/caller.ts";
import type { Collection } from "../../collections/collection.ts";
import { omitUndefined } from "../../json.ts";
import type { Schedule } from "../../schedules/schedule.ts";
import { deployedDefinitionOf } from "../../workflows/version.ts";
import { type Bundle, type BundleCollection, type BundleSchedule, MAX_BUNDLE_BYTES } from "./bundle.ts";
import { type Found, type FoundWorkflow, TOO_MANY_BYTES, tooLarge } from "./follow-references.ts";

/** @throws StepwellError `forbidden` if the key may not read it; `invalid` if it is too large */
export function bundleOf(found: Found, caller: Caller, root: Pick<Bundle, "root" | "root_version"> = {}): Bundle {
  const { workflows, collections, connections, app } = found;
  const { tags = [], schedules = [], webhooks = [] } = app ?? {};
  if (collections.size + tags.length > 0) requireScope(caller, "collections:read");
  if (connections.size > 0) requireScope(caller, "connections:read");
  if (schedules.length > 0) requireScope(caller, "schedules:read");
  if (webhooks.length > 0) requireScope(caller, "webhooks:read");
  const bundle: Bundle = {
    ...{ format: "stepwell", format_version: 1, ...root },
    workflows: inOrder([...workflows.values()].map(bundleWorkflow)),
    collections: inOrder(collections.values()).map((one) => bundleCollection(one, found)),
    connections: inOrder(connections.values()).map(({ id, name, service }) => ({ id, name, service })),
    ...(app === null ? {} : bundleApp(app, found)),
  };
  const size = new TextEncoder().encode(JSON.stringify(bundle)).length;
  if (size > MAX_BUNDLE_BYTES) throw tooLarge(TOO_MANY_BYTES);
  return bundle;
}

/** Ids increase with time, so a copy of an app gets its ids in the same order. */
function inOrder<Item extends { readonly id: string }>(items: Iterable<Item>): Item[] {
  return [...items].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function bundleWorkflow({ workflow, draft, versions }: FoundWorkflow): Bundle["workflows"][number] {
  const { id, name, description, visibility, tool } = workflow;
  const sorted = [...versions.values()].sort((one, other) => one.version - other.version);
  const last = sorted.at(-1);
  // Import makes a draft of the last version if there is no other.
  const isSame =
    draft !== null &&
    last !== undefined &&
    JSON.stringify(deployedDefinitionOf(draft)) === JSON.stringify(deployedDefinitionOf(last));
  return {
    ...{ id, name, description, visibility, tool },
    ...omitUndefined({ draft: draft === null || isSame ? undefined : deployedDefinitionOf(draft) }),
    versions: sorted.map((one) => ({
      id: one.id,
      version: one.version,
      notes: one.notes,
      ...deployedDefinitionOf(one),
    })),
  };
}

/** Without rules and triggers that cannot work any more, because an import would refuse them. */
function bundleCollection(
  { id, name, description, visibility, config, tags, triggers }: Collection,
  { app, workflows, connections }: Found,
): BundleCollection {
  const { mappings, indexes } = config;
  const rules = config.rules.filter(({ workflow_id }) => workflows.has(workflow_id));
  const collection = { id, name, description, visibility, config: { rules, mappings, indexes } };
  if (app === null) return collection;
  return {
    ...collection,
    tags: tags.map((tag) => tag.id),
    triggers: triggers.flatMap(({ id: triggerId, type, name: label, config: settings, connection_id }) =>
      connection_id !== undefined && !connections.has(connection_id)
        ? []
        : [{ id: triggerId, type, name: label, config: settings, ...omitUndefined({ connection_id }) }],
    ),
  };
}

function bundleApp(
  { tags, schedules, webhooks }: NonNullable<Found["app"]>,
  { workflows, collections }: Found,
): Pick<Bundle, "tags" | "schedules" | "webhooks"> {
  return {
    tags: inOrder(tags).map(({ id, name, color }) => ({ id, name, color })),
    schedules: inOrder(schedules)
      .filter(({ workflow_id }) => workflows.has(workflow_id))
      .map(bundleSchedule),
    webhooks: inOrder(webhooks)
      .filter(({ collection_id }) => collection_id === null || collections.has(collection_id))
      .filter(({ workflow_id }) => workflow_id === null || workflows.has(workflow_id))
      .map(({ id, url, events, collection_id, workflow_id }) => ({ id, url, events, collection_id, workflow_id })),
  };
}

function bundleSchedule(schedule: Schedule): BundleSchedule {
  const { id, workflow_id, name, version, step_key, input, cron, timezone, every, at, missed, paused } = schedule;
  const timing = { cron: cron ?? undefined, timezone: timezone ?? undefined, every: every ?? undefined };
  return {
    ...{ id, workflow_id, name, version, step_key, input, missed, paused },
    ...omitUndefined({ ...timing, at: at ?? undefined }),
  };
}
