/** A process that makes concurrent commits with many checkpoints and prints acknowledged ones until one is rejected. */
import { createFsDriver } from "../../../adapters/storage/fs/fs.ts";
import { isStepwellError } from "../../../src/errors.ts";
import { openStore } from "../../support/storage/open.ts";

const AT_ONCE = 5;
const KEYS = 200;

const driver = createFsDriver({ base: process.argv[2] ?? "" }, () => () => undefined);
const store = openStore(driver, { checkpointRecords: 20 });
const versions = new Map<number, number>();

/** Ignores conflicts with changes of the next owner, before this process notices that it was replaced. */
async function change(index: number): Promise<void> {
  await commit(index).catch((error) => {
    if (!isStepwellError(error, "conflict")) throw error;
  });
}

async function commit(index: number): Promise<void> {
  const version = versions.get(index) ?? 0;
  await store.commit([
    {
      key: `thing:k${index}`,
      document: { by: "first", version: version + 1 },
      expected: version === 0 ? null : version,
      rows: [{ list: "things", put: { id: `k${index}` } }],
    },
  ]);
  versions.set(index, version + 1);
  console.log(`${index} ${version + 1}`);
}

try {
  for (let at = 0; ; at += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => change((at + lane) % KEYS)));
  }
} catch (error) {
  console.log(isStepwellError(error, "unavailable") ? `refused: ${error.message}` : `failed: ${error}`);
}
await store.get("thing:k0").then(
  () => console.log("reads"),
  () => console.log("does not read"),
);
await store.close();
