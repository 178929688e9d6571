/** Decides what an import creates, what it uses instead, and the new ids. */
import type { Connection } from "../../connections/connection.ts";
import { withIds } from "../../documents/references.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Ids } from "../../ports/ids.ts";
import { check } from "../../schema.ts";
import { Bundle, type BundleCollection, type BundleWorkflow } from "./bundle.ts";
import { shapeErrors } from "./bundle-shape.ts";
import { numberOf, pinsIn } from "./references.ts";

/** What exists in the app already. */
export interface Existing {
  hasWorkflow(workflowId: string): Promise<boolean>;
  hasCollection(collectionId: string): Promise<boolean>;
  /** All connections of the app. */
  connections(): AsyncIterable<Connection>;
}

export interface ImportPlan {
  /** The document with the new ids and version numbers. */
  readonly bundle: Bundle;
  /** What is created. The app has the rest. */
  readonly workflows: readonly PlannedWorkflow[];
  readonly collections: readonly Planned<BundleCollection>[];
  readonly ids: ReadonlyMap<string, string>;
}

export interface Planned<Item> {
  readonly item: Item;
  /** Its place in the document. */
  readonly index: number;
}

export interface PlannedWorkflow extends Planned<BundleWorkflow> {
  /** The place of each version in the document, in the order of their new numbers. */
  readonly places: readonly number[];
}

const NOT_FOUND = "The app has no workflow or collection with this id.";

/** @throws StepwellError `invalid` with a JSON Pointer for each problem */
export async function planImport(given: Bundle, existing: Existing, ids: Ids): Promise<ImportPlan> {
  const errors = [...shapeErrors(given)];
  if (errors.length > 0) throw invalid(errors);
  const { root, reuse = [] } = given;
  const replacements = new Map(reuse.map(({ id, use_id }, index) => [id, { id: use_id, index }]));
  const renamed = new Map<string, string>();

  /** What the app has and an import uses; null for what it creates. Without a root, it creates everything: an app. */
  async function usedFor(id: string, has: (id: string) => Promise<boolean>): Promise<string | null> {
    const other = replacements.get(id);
    if (other === undefined) return root !== undefined && id !== root && (await has(id)) ? id : null;
    if (!(await has(other.id))) errors.push({ pointer: `/reuse/${other.index}/use_id`, message: NOT_FOUND });
    return other.id;
  }

  const workflows = new Set<number>();
  for (const [index, { id, versions = [] }] of given.workflows.entries()) {
    const used = await usedFor(id, existing.hasWorkflow);
    renamed.set(id, used ?? ids.next("work"));
    if (used !== null) continue;
    workflows.add(index);
    for (const version of versions) renamed.set(version.id, ids.next("workv"));
  }
  const collections = new Set<number>();
  for (const [index, { id, triggers = [] }] of given.collections.entries()) {
    const used = await usedFor(id, existing.hasCollection);
    renamed.set(id, used ?? ids.next("coll"));
    if (used !== null) continue;
    collections.add(index);
    for (const trigger of triggers) renamed.set(trigger.id, ids.next("trig"));
  }
  for (const { id } of given.tags ?? []) renamed.set(id, ids.next("tag"));
  for (const { id } of given.schedules ?? []) renamed.set(id, ids.next("sched"));
  for (const { id } of given.webhooks ?? []) renamed.set(id, ids.next("whk"));
  const candidates = await findCandidates(given, existing);
  for (const [index, wanted] of given.connections.entries()) {
    const other = replacements.get(wanted.id);
    const found = connectionFor(wanted, other?.id, candidates);
    if (typeof found === "string") renamed.set(wanted.id, found);
    else {
      const at = other === undefined ? `/connections/${index}` : `/reuse/${other.index}/use_id`;
      errors.push({ pointer: at, message: found.message });
    }
  }
  if (errors.length > 0) throw invalid(errors);
  const bundle = check(Bundle, withIds(given, renamed));
  return {
    bundle,
    workflows: renumbered(bundle, workflows),
    collections: bundle.collections.flatMap((item, index) => (collections.has(index) ? [{ item, index }] : [])),
    ids: renamed,
  };
}

/** Connections of the app that an import may use. */
interface Candidates {
  /** The services of those whose ids the document contains. */
  readonly services: ReadonlyMap<string, string>;
  /** Ids by service and name. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

const nameOf = ({ service, name }: Pick<Connection, "service" | "name">) => JSON.stringify([service, name]);

/** Reads the connections of the app once, however many the document has. */
async function findCandidates({ connections, reuse = [] }: Bundle, existing: Existing): Promise<Candidates> {
  const services = new Map<string, string>();
  const named = new Map<string, string[]>(connections.map((wanted) => [nameOf(wanted), []]));
  if (connections.length === 0) return { services, named };
  const ids = new Set([...connections.map(({ id }) => id), ...reuse.map(({ use_id }) => use_id)]);
  for await (const one of existing.connections()) {
    if (ids.has(one.id)) services.set(one.id, one.service);
    named.get(nameOf(one))?.push(one.id);
  }
  return { services, named };
}

/** The id of the connection to use, or why there is none. */
function connectionFor(
  { id, name, service }: Bundle["connections"][number],
  wanted: string | undefined,
  { services, named }: Candidates,
): string | { readonly message: string } {
  if (services.get(wanted ?? id) === service) return wanted ?? id;
  if (wanted !== undefined) return { message: `The app has no connection with this id for the service ${service}.` };
  const [only, other] = named.get(nameOf({ service, name })) ?? [];
  if (only !== undefined && other === undefined) return only;
  const what = `connection named ${JSON.stringify(name)} for the service ${service}`;
  const hint = `select the one to use: "reuse": [{ "id": "${id}", "use_id": "con_…" }]`;
  const message =
    only === undefined
      ? `The app has no ${what}. Create it, or ${hint}.`
      : `The app has more than one ${what}: ${hint}.`;
  return { message };
}

/**
 * The workflows that are created. Their versions are numbered from 1, and the exported one comes last, so that it becomes the
 * latest version. The uses of these numbers in the document are changed to the new ones.
 */
function renumbered({ root, root_version = 0, workflows, schedules = [] }: Bundle, created: ReadonlySet<number>) {
  const planned = workflows.flatMap((item, index): PlannedWorkflow[] => {
    if (!created.has(index)) return [];
    const { id, versions = [] } = item;
    const isExported = (place: number) => id === root && versions[place]?.version === root_version;
    const all = [...versions.keys()];
    const places = [...all.filter((place) => !isExported(place)), ...all.filter(isExported)];
    return [{ item, index, places }];
  });
  const numbers = new Map(
    planned.map(({ item: { id, versions = [] }, places }) => [
      id,
      new Map(places.map((place, at) => [versions[place]?.version ?? 0, at + 1])),
    ]),
  );
  const renumber = (workflowId: string, version: number | null) => numbers.get(workflowId)?.get(version ?? 0);
  for (const schedule of schedules) {
    schedule.version = renumber(schedule.workflow_id, numberOf(schedule.version)) ?? schedule.version ?? "latest";
  }
  for (const { item, places } of planned) {
    const { draft, versions = [] } = item;
    for (const definition of draft === undefined ? versions : [...versions, draft]) {
      for (const { step, workflow_id, version } of pinsIn(definition)) {
        step.workflow_version_id = renumber(workflow_id, version) ?? version;
      }
    }
    for (const [at, place] of places.entries()) {
      const version = versions[place];
      if (version !== undefined) version.version = at + 1;
    }
    item.versions = places.flatMap((place) => versions[place] ?? []);
  }
  return planned;
}
