/** What the journal alone costs: five small writes under new names, one after the other, and nothing else. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createStorage } from "unstorage";
import memoryDriver from "unstorage/drivers/memory";
import { journalled, STEPS } from "./work.js";

export async function start({ base }) {
  const write = base === undefined ? toMemory() : await toFiles(base);
  let run = 0;
  return {
    async once() {
      const name = ++run;
      for (let step = 0; step < STEPS; step++) await write(name, step, journalled(name, step));
    },
    async close() {},
  };
}

function toMemory() {
  const storage = createStorage({ driver: memoryDriver() });
  return (run, step, text) => storage.setItem(`runs:${run}:${step}`, text);
}

/** A folder for every thousand runs: no side pays for a folder of a million names. */
async function toFiles(base) {
  let made = -1;
  return async (run, step, text) => {
    const part = Math.floor(run / 1_000);
    const folder = join(base, String(part));
    if (part !== made) {
      await mkdir(folder, { recursive: true });
      made = part;
    }
    await writeFile(join(folder, `${run}-${step}`), text, { flag: "wx" });
  };
}
