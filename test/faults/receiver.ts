/** A process that stores uploads in a folder and prints its URL and each acknowledged size, until it is killed. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import unstorageFs from "unstorage/drivers/fs-lite";
import fs from "../../adapters/storage/fs/fs.ts";
import type { ExtendedDriver } from "../../src/ports/driver.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { openHost } from "../support/files/host.ts";

const HOUR_MS = 3_600_000;
const [base = "", kind = "", start = "0"] = process.argv.slice(2);
const blobs = join(base, "blobs");

/** Each look at the clock advances it by a second, so that progress is stored at once. Later processes start later. */
let looks = 0;
const clock = { ...systemClock, now: () => systemClock.now() + Number(start) * HOUR_MS + 1_000 * looks++ };

/** Prints the size of each partial upload once it is stored. */
function printingSizes(driver: ExtendedDriver): ExtendedDriver {
  const { openItem } = driver;
  if (openItem === undefined) return driver;
  return {
    ...driver,
    async openItem(key, from) {
      const item = await openItem(key, from);
      return {
        ...item,
        async write(data) {
          await item.write(data);
          const sizes = /\\?"partial:.*?\\?"size\\?":(\d+)/.exec(String(data));
          if (sizes !== null) writeSync(1, `${sizes[1]}\n`);
        },
      };
    },
  };
}

const host = await openHost(
  () => ({
    entities: printingSizes(fs({ base: join(base, "entities") })),
    blobs: kind === "blocks" ? unstorageFs({ base: blobs }) : fs({ base: blobs }),
  }),
  { clock },
);
const { url, fileId } = await host.address();
writeSync(1, `${new URL(url).origin} ${new URL(url).pathname} ${fileId} ${host.appId}\n`);
