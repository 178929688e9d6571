/** Decides what an import creates, what it uses instead, and the new ids. */
import type { Connections } from "../../connections/connections.ts";
import type { FieldError } from "../../errors.ts";
import { pointer } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Ids } from "../../ports/ids.ts";
import { check } from "../../schema.ts";
import { Bundle } from "./bundle.ts";
import { pinsIn, withIds } from "./references.ts";

/** What exists in the app already. */
export interface Existing {
  hasWorkflow(workflowId: string): Promise<boolean>;
  hasCollection(collectionId: string): Promise<boolean>;
  /** The connections of the app with this service. */
  connections(service: string): AsyncIterable<Awaited<ReturnType<Connections["get"]>>>;
}

export interface ImportPlan {
  /** The document with the new ids and version numbers. */
  readonly bundle: Bundle;
  /** The indexes of what is created. The app has the rest. */
  readonly workflows: readonly number[];
  readonly collections: readonly number[];
  readonly ids: ReadonlyMap<string, string>;
}

/** @throws StepwellError `invalid` with a JSON Pointer for each problem */
export async function planImport(given: Bundle, existing: Existing, ids: Ids): Promise<ImportPlan> {
  const errors = [...duplicates(given)];
  if (errors.length > 0) throw invalid(errors);
  const { root, map = {} } = given;
  const renamed = new Map<string, string>();
  const mapped = (id: string) => (Object.hasOwn(map, id) ? map[id] : undefined);

  /** Without a root, everything is created: the document is an app. */
  async function reuse(id: string, has: (id: string) => Promise<boolean>): Promise<boolean> {
    const other = mapped(id);
    if (other !== undefined) {
      renamed.set(id, other);
      if (!(await has(other))) errors.push({ pointer: pointer(["map", id]), message: `The app has no ${other}.` });
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
  for (const [index, wanted] of given.connections.entries()) {
    const found = await connectionFor(wanted, mapped(wanted.id), existing);
    if (typeof found === "string") renamed.set(wanted.id, found);
    else errors.push({ pointer: `/connections/${index}`, message: found.message });
  }
  if (errors.length > 0) throw invalid(errors);
  return { bundle: renumbered(given, new Set(workflows), renamed), workflows, collections, ids: renamed };
}

function* duplicates({ root, workflows, collections, connections, map = {} }: Bundle): Generator<FieldError, void> {
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
  for (const id of Object.keys(map)) {
    if (!seen.has(id)) yield { pointer: pointer(["map", id]), message: "No resource of the document has this id." };
  }
}

/** The id of the connection to use, or why there is none. */
async function connectionFor(
  { id, name, service }: Bundle["connections"][number],
  wanted: string | undefined,
  existing: Existing,
): Promise<string | { readonly message: string }> {
  const named: string[] = [];
  for await (const one of existing.connections(service)) {
    if (one.id === (wanted ?? id)) return one.id;
    if (one.name === name) named.push(one.id);
  }
  if (wanted !== undefined) return { message: `The app has no connection ${wanted} for the service ${service}.` };
  const [only, other] = named;
  if (only !== undefined && other === undefined) return only;
  const what = `connection named ${JSON.stringify(name)} for the service ${service}`;
  const hint = `name the one to use in map: { "${id}": "con_…" }`;
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
