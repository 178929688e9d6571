/** Decides what an import creates, what it uses instead, and the new ids. */
import type { Connection } from "../../connections/connection.ts";
import type { FieldError } from "../../errors.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Ids } from "../../ports/ids.ts";
import { check } from "../../schema.ts";
import { Bundle } from "./bundle.ts";
import { pinsIn, withIds } from "./references.ts";

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
  /** The indexes of what is created. The app has the rest. */
  readonly workflows: readonly number[];
  readonly collections: readonly number[];
  readonly ids: ReadonlyMap<string, string>;
}

const NOT_FOUND = "The app has no workflow or collection with this id.";

/** @throws StepwellError `invalid` with a JSON Pointer for each problem */
export async function planImport(given: Bundle, existing: Existing, ids: Ids): Promise<ImportPlan> {
  const errors = [...duplicates(given)];
  if (errors.length > 0) throw invalid(errors);
  const { root, reuse: replaced = [] } = given;
  const replacements = new Map(replaced.map(({ id, use_id }, index) => [id, { id: use_id, index }]));
  const renamed = new Map<string, string>();

  /** Without a root, everything is created: the document is an app. */
  async function reuse(id: string, has: (id: string) => Promise<boolean>): Promise<boolean> {
    const other = replacements.get(id);
    if (other !== undefined) {
      renamed.set(id, other.id);
      if (!(await has(other.id))) errors.push({ pointer: `/reuse/${other.index}/use_id`, message: NOT_FOUND });
      return true;
    }
    if (root === undefined || id === root || !(await has(id))) return false;
    renamed.set(id, id);
    return true;
  }

  const workflows: number[] = [];
  for (const [index, { id, versions = [] }] of given.workflows.entries()) {
    if (await reuse(id, existing.hasWorkflow)) continue;
    workflows.push(index);
    renamed.set(id, ids.next("work"));
    for (const version of versions) renamed.set(version.id, ids.next("workv"));
  }
  const collections: number[] = [];
  for (const [index, { id }] of given.collections.entries()) {
    if (await reuse(id, existing.hasCollection)) continue;
    collections.push(index);
    renamed.set(id, ids.next("coll"));
  }
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
  return { bundle: renumbered(given, new Set(workflows), renamed), workflows, collections, ids: renamed };
}

function* duplicates({ root, workflows, collections, connections, reuse = [] }: Bundle): Generator<FieldError, void> {
  const seen = new Set<string>();
  const places = [
    ...workflows.map(({ id }, index) => ({ id, at: `/workflows/${index}/id` })),
    ...workflows.flatMap(({ versions = [] }, index) =>
      versions.map(({ id }, version) => ({ id, at: `/workflows/${index}/versions/${version}/id` })),
    ),
    ...collections.map(({ id }, index) => ({ id, at: `/collections/${index}/id` })),
    ...connections.map(({ id }, index) => ({ id, at: `/connections/${index}/id` })),
  ];
  for (const { id, at } of places) {
    if (seen.has(id)) yield { pointer: at, message: "Must be unique in the document." };
    seen.add(id);
  }
  for (const [index, { versions = [] }] of workflows.entries()) {
    for (const [at, { version }] of versions.entries()) {
      if (at === 0 || version > (versions[at - 1]?.version ?? 0)) continue;
      const message = "Must be greater than the number of the version before it.";
      yield { pointer: `/workflows/${index}/versions/${at}/version`, message };
    }
  }
  if (root !== undefined && !workflows.some(({ id }) => id === root)) {
    yield { pointer: "/root", message: "Must be the id of a workflow of the document." };
  }
  const replaced = new Set<string>();
  for (const [index, { id }] of reuse.entries()) {
    const at = `/reuse/${index}/id`;
    if (!seen.has(id) || id.startsWith("workv_"))
      yield { pointer: at, message: "The document defines nothing with this id." };
    if (replaced.has(id)) yield { pointer: at, message: "Must be unique in the list." };
    replaced.add(id);
  }
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

/** The document with new ids. The versions of each workflow that is created are numbered from 1, and so are their uses. */
function renumbered(given: Bundle, created: ReadonlySet<number>, ids: ReadonlyMap<string, string>): Bundle {
  const numbers = new Map<string, ReadonlyMap<number, number>>();
  const copy = check(Bundle, structuredClone(given));
  for (const index of created) {
    const { id, versions = [] } = copy.workflows[index] ?? { id: "" };
    numbers.set(id, new Map(versions.map(({ version }, at) => [version, at + 1])));
  }
  for (const index of created) {
    const { draft, versions = [] } = copy.workflows[index] ?? {};
    for (const [at, version] of versions.entries()) version.version = at + 1;
    for (const definition of draft === undefined ? versions : [...versions, draft]) {
      for (const { step, workflow_id, version } of pinsIn(definition)) {
        const number = numbers.get(workflow_id)?.get(version);
        if (number !== undefined) step.workflow_version_id = number;
      }
    }
  }
  return check(Bundle, withIds(copy, ids));
}
