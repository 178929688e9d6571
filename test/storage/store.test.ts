/** The store's contract on every driver, and with a checkpoint after every second record. */
import { KINDS } from "../support/storage/drivers.ts";
import { openStore } from "../support/storage/open.ts";
import { storeContract } from "../support/storage/store-contract.ts";

for (const kind of KINDS) {
  storeContract(kind.name, async () => {
    const place = await kind.place();
    return { open: () => openStore(place.open()), clean: place.clean };
  });
}

for (const kind of KINDS.filter(({ name }) => name === "memory (unstorage)" || name === "fs")) {
  storeContract(`${kind.name} with a checkpoint after every second record`, async () => {
    const place = await kind.place();
    return { open: () => openStore(place.open(), { checkpointRecords: 2, cacheSize: 500 }), clean: place.clean };
  });
}
