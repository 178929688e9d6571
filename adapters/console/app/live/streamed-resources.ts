/** The resources that the stream of an app names, as the keys of queries call them. */
import type { QueryKey } from "@tanstack/react-query";
import type { AppChange } from "../../../../src/app-stream/app-change.ts";

/** By what the type of a change begins with: what stands after the id of the app in the keys of queries. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  run: ["runs", "summary"],
  input: ["inputs", "summary"],
  record: ["records", "collections"],
  collection: ["collections"],
  tag: ["tags", "collections"],
  workflow: ["workflows"],
  // A draft that somebody edits must not be replaced: its editor compares revisions itself.
  version: ["workflows", "versions"],
  job: ["jobs"],
  file: ["files", "uploads"],
  schedule: ["schedules", "summary"],
  connection: ["connections"],
  hook: ["hooks"],
  webhook: ["webhooks"],
};

const STREAMED = new Set(Object.values(NAMES).flat());

/** What the keys of queries call the resource of a change. */
export function namesOf({ type }: Pick<AppChange, "type">): readonly string[] {
  return NAMES[type.slice(0, type.indexOf("."))] ?? [];
}

export const isStreamed = ([, name]: QueryKey): boolean => typeof name === "string" && STREAMED.has(name);
