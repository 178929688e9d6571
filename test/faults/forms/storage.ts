/** Where the processes of these tests store everything. */
import fs from "../../../adapters/storage/fs/fs.ts";

/** The origin in the links, instead of that of the process that serves them. */
export const ORIGIN = "http://forms.test";

/** Frequent checkpoints, so that processes also die during one. */
export function storageAt(base: string) {
  return { entities: fs({ base }), checkpointRecords: 20 };
}
