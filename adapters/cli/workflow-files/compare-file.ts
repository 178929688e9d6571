/** Compares the definition in a file with a version on the server. */
import { diffVersions } from "../../../src/definitions/diff/diff-versions.ts";
import type { Version, VersionDiff } from "../../../src/index.ts";
import type { JsonObject } from "../../../src/json.ts";
import { serverChecked } from "../server/server-checked.ts";

/** What a definition has where the file says nothing. */
const EMPTY: JsonObject = { input: {}, input_default: null, input_options: null, steps: [] };

/** @param definition A definition that the server has found valid, or at least of the right shape. */
export function compareWithFile(version: Version, definition: JsonObject): VersionDiff {
  return diffVersions(version, asVersion(definition));
}

function asVersion({ pinned: _, ...deployed }: JsonObject): Version {
  return serverChecked<Version>({ ...EMPTY, ...deployed, id: "the file", version: 0 });
}

/** Whether two definitions differ in nothing that a deployment freezes. */
export function isSameDefinition(one: JsonObject, other: JsonObject): boolean {
  return isSame(compareWithFile(asVersion(one), other));
}

export function isSame({ added, removed, changed, moved }: VersionDiff): boolean {
  return added.length + removed.length + changed.length + moved.length === 0;
}
