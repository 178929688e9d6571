/** What the schema of a document cannot say: that ids are unique, versions ascend, and `root` and `reuse` name something. Pure. */
import type { FieldError } from "../../errors.ts";
import type { Bundle } from "./bundle.ts";

const UNIQUE = "Must be unique in the document.";
/** Kinds of resources that an import can replace by those of the app. */
const REPLACEABLE = /^(work|coll|con)_/;

export function* shapeErrors(bundle: Bundle): Generator<FieldError, void> {
  const seen = new Set<string>();
  for (const { id, pointer } of idsOf(bundle)) {
    if (seen.has(id)) yield { pointer, message: UNIQUE };
    seen.add(id);
  }
  for (const [index, { versions = [] }] of bundle.workflows.entries()) {
    for (const [at, { version }] of versions.entries()) {
      if (at === 0 || version > (versions[at - 1]?.version ?? 0)) continue;
      const message = "Must be greater than the number of the version before it.";
      yield { pointer: `/workflows/${index}/versions/${at}/version`, message };
    }
  }
  yield* rootErrors(bundle);
  const replaced = new Set<string>();
  for (const [index, { id }] of (bundle.reuse ?? []).entries()) {
    const pointer = `/reuse/${index}/id`;
    if (!seen.has(id) || !REPLACEABLE.test(id)) {
      yield { pointer, message: "The document has no workflow, collection or connection with this id." };
    }
    if (replaced.has(id)) yield { pointer, message: "Must be unique in the list." };
    replaced.add(id);
  }
}

/** All ids of the document with their places. */
function* idsOf(bundle: Bundle): Generator<{ readonly id: string; readonly pointer: string }, void> {
  const { workflows, collections, connections, tags = [], schedules = [], webhooks = [] } = bundle;
  for (const [name, list] of Object.entries({ workflows, collections, connections, tags, schedules, webhooks })) {
    for (const [index, { id }] of list.entries()) yield { id, pointer: `/${name}/${index}/id` };
  }
  for (const [index, { versions = [] }] of workflows.entries()) {
    for (const [at, { id }] of versions.entries()) yield { id, pointer: `/workflows/${index}/versions/${at}/id` };
  }
  for (const [index, { triggers = [] }] of collections.entries()) {
    for (const [at, { id }] of triggers.entries()) yield { id, pointer: `/collections/${index}/triggers/${at}/id` };
  }
}

function* rootErrors(bundle: Bundle): Generator<FieldError, void> {
  const { root, root_version, workflows } = bundle;
  if (root === undefined) {
    if (root_version !== undefined) yield { pointer: "/root_version", message: "Must be omitted without root." };
    return;
  }
  const exported = workflows.find(({ id }) => id === root);
  if (exported === undefined) yield { pointer: "/root", message: "Must be the id of a workflow of the document." };
  else if ((root_version ?? 0) > 0 && !exported.versions?.some(({ version }) => version === root_version)) {
    yield { pointer: "/root_version", message: "Must be the number of a version of the workflow that root names." };
  }
  for (const name of ["tags", "schedules", "webhooks"] as const) {
    if ((bundle[name] ?? []).length === 0) continue;
    yield { pointer: `/${name}`, message: "Must be omitted with root: only the export of an app has them." };
  }
}
