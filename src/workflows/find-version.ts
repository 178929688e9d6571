/** Finds versions by id. A separate module, so that deploying and deleting workflows can depend on it. */
import type { Key, Store } from "../ports/store.ts";
import type { Version } from "./version.ts";

/** Finds the version of a run, even if its workflow was deleted. */
export type FindVersion = (versionId: string) => Promise<Version | null>;

/** All versions and drafts that were run, including those of deleted workflows, to delete them with their app. */
export const appVersions = (appId: string) => `versions.${appId}`;
export const versionKey = (versionId: string): Key => `version:${versionId}`;

export function createFindVersion({ store }: { store: Store }): FindVersion {
  return async (versionId) => (await store.get<Version>(versionKey(versionId)))?.document ?? null;
}
