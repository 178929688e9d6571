/** Finds versions by their ids. Apart from everything else, so that what deploys or removes workflows can be built on it. */
import type { Key, Store } from "../ports/store.ts";
import type { Version } from "./version.ts";

/** Finds a version that a run executes, also when its workflow was deleted. */
export type FindVersion = (versionId: string) => Promise<Version | null>;

export const versionKey = (versionId: string): Key => `version:${versionId}`;

export function createFindVersion({ store }: { store: Store }): FindVersion {
  return async (versionId) => (await store.get<Version>(versionKey(versionId)))?.document ?? null;
}
