/** The store's contract on every driver, and with a checkpoint after every second record. */

import { createMemoryData, createMemoryStore } from "../../src/storage/memory-store.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { sample } from "../support/sample.ts";
import { KINDS } from "../support/storage/drivers.ts";
import { openStore } from "../support/storage/open.ts";
import { storeContract } from "../support/storage/store-contract.ts";

/** Each increment is a request, which costs a hundred times as much on S3; who wins is decided in memory. */
const INCREMENTS = { onS3: 40, elsewhere: 200 };

/** Growing files, values of a driver that has no own way, and each server. */
const SAMPLE = ["memory (unstorage)", "fs", "redis", "s3"];

storeContract("memory, without a driver", async () => {
  const data = createMemoryData();
  return { open: () => createMemoryStore({ clock: systemClock, data }), clean: async () => undefined };
});

for (const kind of sample(KINDS, SAMPLE)) {
  const createFixture = async () => {
    const storage = await kind.createStorage();
    return { open: () => openStore(storage.open()), clean: storage.clean };
  };
  storeContract(kind.name, createFixture, kind.name.startsWith("s3") ? INCREMENTS.onS3 : INCREMENTS.elsewhere);
}

const OFTEN = KINDS.filter(({ name }) => name === "memory (unstorage)" || name === "fs");
for (const kind of sample(OFTEN, ["fs"])) {
  storeContract(`${kind.name} with a checkpoint after every second record`, async () => {
    const storage = await kind.createStorage();
    return { open: () => openStore(storage.open(), { checkpointRecords: 2, cacheSize: 500 }), clean: storage.clean };
  });
}
