/** Which drivers can hold the files of a cluster. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import memoryDriver from "../../adapters/storage/memory.ts";
import { createStepwell } from "../../src/index.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { createInProcessQueue } from "../support/cluster/in-process-queue.ts";
import { sharedMemory } from "../support/cluster/shared-memory.ts";

const temporaryFolder = () => mkdtemp(join(tmpdir(), "stepwell-shared-"));

it("refuses drivers for files that each process has for itself, and says which to use", async () => {
  const { adapter: cluster } = createInProcessQueue(systemClock).connect();
  for (const blobs of [memoryDriver(), fsDriver({ base: await temporaryFolder() })]) {
    expect(() => createStepwell({ cluster, storage: { entities: sharedMemory(), blobs } })).toThrow(
      /storage\.blobs: Several processes cannot share files in "(memory|stepwell-fs)"\. Use .*shared: true/,
    );
  }
});

it("takes a folder that is shared: both processes read and replace its items", async () => {
  const base = await temporaryFolder();
  const [one, other] = [fsDriver({ base, shared: true }), fsDriver({ base, shared: true })];
  const { adapter: cluster } = createInProcessQueue(systemClock).connect();
  const stepwell = createStepwell({ cluster, storage: { entities: sharedMemory(), blobs: one } });
  const values = Array.from({ length: 20 }, (_, index) => new Uint8Array([index]));
  await Promise.all(
    values.map((value, index) => (index % 2 === 0 ? one : other).setItemRaw?.(`blob:x.${index}`, value, {})),
  );
  for (const [index, value] of values.entries()) {
    expect(
      new Uint8Array((await (index % 2 === 0 ? other : one).getItemRaw?.(`blob:x.${index}`, {})) as Buffer),
    ).toEqual(value);
  }
  await other.dispose?.();
  await stepwell.close();
});
