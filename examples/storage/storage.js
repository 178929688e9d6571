// Data outlives the service, and damage to it is found and repaired: node examples/storage/storage.js
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStepwell, repairStorage } from "stepwell";
import fsDriver from "stepwell/storage/fs";

const base = await mkdtemp(join(tmpdir(), "stepwell-storage-"));
const open = () => createStepwell({ storage: { entities: fsDriver({ base }) } });

const first = open();
for (const name of ["Lending", "Accounting"]) await first.apps.create({ name });
await first.close();

const second = open();
await second.ready();
console.log("reopened:", await names(second));
await second.close();

// Somebody deletes the pages of all lists.
const pages = (await readdir(base, { recursive: true })).filter((file) => /^list\W.*\d$/.test(file));
for (const page of pages) await rm(join(base, page), { recursive: true, force: true });

const driver = fsDriver({ base });
const { damaged, rebuilt, lost } = await repairStorage({ driver });
console.log(`damaged: ${damaged.length > 0}, lists rebuilt: ${rebuilt.join()}, lost: ${lost.length}`);
await driver.dispose?.();

const third = open();
console.log("repaired:", await names(third));
await third.close();
await rm(base, { recursive: true });

async function names(stepwell) {
  const { items } = await stepwell.apps.list();
  return items.map(({ name }) => name).join(", ");
}
