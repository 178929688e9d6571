/** A page of 100 with a search out of 100,000 collections, and what a creation costs at 100 and at 100,000. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";
import { collection, fill } from "./fixture.js";
import { at, median, report, times } from "./measure.js";

const MANY = 100_000;

async function bench(title, open) {
  const few = open("few");
  const many = open("many");
  const smallApp = await few.apps.create({ name: "few" });
  const app = await many.apps.create({ name: "many" });
  await fill(few, smallApp.id, 0, 100);
  const started = performance.now();
  await fill(many, app.id, 0, MANY);
  report(`${title}: creations, 256 at once`, (MANY * 1_000) / (performance.now() - started), "/s");

  const page = (search) => async () => {
    const { items } = await many.collections.list(app.id, { search, take: 100 });
    return items.length;
  };
  if ((await page("whale")()) !== 100) throw new Error("the search must fill the page");
  if ((await page("submarine")()) !== 0) throw new Error("the search must find nothing");
  report(`${title}: page of 100, hits, median`, at(await times(page("whale"), 300), 0.5), "ms", "under 1");
  report(`${title}: page of 100, no hits, median`, at(await times(page("submarine"), 100), 0.5), "ms", "under 6");

  const costs = { few: [], many: [] };
  for (let round = 0; round < 9; round++) {
    for (const [name, stepwell, appId] of [
      ["few", few, smallApp.id],
      ["many", many, app.id],
    ]) {
      const seen = await times((n) => stepwell.collections.create(appId, collection(n)), 200);
      costs[name].push(at(seen, 0.5));
    }
  }
  report(`${title}: creation at 100, median`, median(costs.few), "ms");
  report(`${title}: creation at 100,000, median`, median(costs.many), "ms");
  report(`${title}: creation, ratio`, median(costs.many) / median(costs.few), "", "at most 1.3");
  await few.close();
  await many.close();
}

await bench("memory", () => createStepwell());
const base = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
try {
  await bench("fs", (name) => createStepwell({ storage: { entities: fsDriver({ base: join(base, name) }) } }));
} finally {
  rmSync(base, { recursive: true, force: true });
}
