/** Where the processes of these tests store everything. */
import fs from "../../../adapters/storage/fs.ts";
import type { Options } from "../../../src/index.ts";

/** The origin in the links, instead of that of the process that serves them. */
export const ORIGIN = "http://forms.test";

/** Frequent checkpoints, so that processes also die during one. */
export function storageAt(base: string): NonNullable<Options["storage"]> {
  return { entities: fs({ base }), checkpointRecords: 20 };
}
