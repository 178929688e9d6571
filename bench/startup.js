/** Start-up and first page with 100,000 collections on fs, in a process of its own, and the files that were read. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fill } from "./fixture.js";
import { median, report } from "./measure.js";

const [, file, base, appId] = process.argv;

if (base !== undefined) {
  const start = performance.now();
  const { createStepwell } = await import("stepwell");
  const { default: fsDriver } = await import("stepwell/storage/fs");
  const driver = fsDriver({ base });
  let reads = 0;
  const counted = {
    ...driver,
    getItem(key, options) {
      reads++;
      return driver.getItem(key, options);
    },
    getItems:
      driver.getItems &&
      ((items, options) => {
        reads += items.length;
        return driver.getItems(items, options);
      }),
  };
  const stepwell = createStepwell({ storage: { entities: counted } });
  const { items } = await stepwell.collections.list(appId, { take: 100 });
  const milliseconds = performance.now() - start;
  if (items.length !== 100) throw new Error("the page must be full");
  const { items: found } = await stepwell.collections.list(appId, { search: "whale" });
  if (found.length !== 100) throw new Error("the search must fill the page");
  console.log(JSON.stringify({ milliseconds, reads }));
  await stepwell.close();
} else {
  const { createStepwell } = await import("stepwell");
  const { default: fsDriver } = await import("stepwell/storage/fs");
  const root = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
  try {
    const stepwell = createStepwell({ storage: { entities: fsDriver({ base: root }) } });
    const app = await stepwell.apps.create({ name: "many" });
    await fill(stepwell, app.id, 0, 100_000);
    await stepwell.close();
    const seen = Array.from({ length: 5 }, () =>
      JSON.parse(
        execFileSync(process.execPath, [fileURLToPath(new URL(file, "file:///")), root, app.id], { encoding: "utf8" }),
      ),
    );
    report(
      "start-up and first page of 100,000 on fs",
      median(seen.map((one) => one.milliseconds)),
      "ms",
      "under 1,500",
    );
    report("files read for it (and a search)", Math.max(...seen.map((one) => one.reads)), "", "under 1,000");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
