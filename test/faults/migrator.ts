/** A program that migrates the folder `source` to the folder `target`, and says how far it is. */
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { migrateStorage } from "../../src/index.ts";
import { SILENT } from "../support/storage/silent.ts";

const [source = "", target = ""] = process.argv.slice(2);
await migrateStorage({
  from: { entities: fsDriver({ base: source }) },
  to: { entities: fsDriver({ base: target }) },
  onProgress: ({ phase, done }) => process.stdout.write(`${phase} ${done}\n`),
  logger: SILENT,
});
