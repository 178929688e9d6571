/**
 * What lists of runs cost on fs with few and with many runs: memory, start, pages, filters and creations. Runs are
 * committed as the engine leaves them when they have ended, without executing each. Each figure is taken in a process of
 * its own. Run: node --import ../test/support/typescript/register.js list-pages.js [number]
 */
import { fork } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeHash } from "../adapters/crypto/node-hash.ts";
import fsDriver from "../adapters/storage/fs/fs.ts";
import { createIds } from "../src/ids.ts";
import { createStepwell } from "../src/index.ts";
import { runKey, runRows } from "../src/runs/run-rows.ts";
import { createDriverStore } from "../src/storage/store.ts";
import { systemClock } from "../src/time/system-clock.ts";
import { at, cpuOf, report, times } from "./measure.js";

const FEW = 1_000;
const AT_ONCE = 512;
/** Of so many runs, one has failed. */
const FAILED = 10;
const ignore = () => undefined;
const logger = { debug: ignore, info: ignore, warn: console.warn, error: console.error };

const open = (base) => createStepwell({ storage: { entities: fsDriver({ base }) } });
const openStore = (base) =>
  createDriverStore({
    driver: fsDriver({ base }),
    clock: systemClock,
    ids: createIds(systemClock),
    logger,
    hash: nodeHash,
  });

if (process.send === undefined) await parent(Number(process.argv[2] ?? 1_000_000));
else process.send(await { fill, measure }[process.argv[2]](...process.argv.slice(3)), () => process.exit());

async function parent(many) {
  const base = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), "bench-list-pages-"));
  const run = (what, ...args) =>
    new Promise((resolve, reject) => {
      const one = fork(fileURLToPath(import.meta.url), [what, base, ...args.map(String)], {
        execArgv: [...process.execArgv, "--expose-gc"],
      });
      let seen;
      one.on("message", (message) => (seen = message));
      one.on("exit", (code) => (code === 0 ? resolve(seen) : reject(new Error(`${what} ended with ${code}`))));
    });
  try {
    const ids = await run("fill", FEW, 0);
    const few = await run("measure", ...ids);
    const before = performance.now();
    await run("fill", many - FEW, FEW, ...ids);
    report(`filled with ${many} runs`, (many - FEW) / ((performance.now() - before) / 1_000), "runs/s");
    const full = await run("measure", ...ids);
    for (const [figure, value] of Object.entries(full)) {
      report(`${figure}: ${FEW}`, few[figure], "");
      report(`${figure}: ${many}`, value, "");
      report(`${figure}: ratio`, value / few[figure], "times");
    }
    const files = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const sizes = files.map(({ parentPath, name }) => [statSync(join(parentPath, name)).size, name]);
    report("files", files.length, "");
    report("disk", sizes.reduce((sum, [size]) => sum + size, 0) / 2 ** 20, "MiB");
    const roots = sizes.filter(([, name]) => /^[ab]$|[:%].*[ab]$/.test(name)).map(([size]) => size);
    report("longest root of a list", Math.max(0, ...roots) / 1_024, "KiB", "well under 1,024");
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function fill(base, count, from, ...known) {
  const [app, workflow, first] = known.length > 0 ? known : await deploy(base);
  const store = openStore(base);
  const { document } = await store.get(runKey(first));
  const ids = createIds(systemClock);
  const created = Date.parse(document.created_at) + Number(from) * 1_000;
  for (let start = 0; start < count; start += AT_ONCE) {
    const number = Math.min(AT_ONCE, count - start);
    await Promise.all(
      Array.from({ length: number }, (_, n) => {
        const id = ids.next("run");
        const time = new Date(created + (start + n) * 1_000).toISOString();
        const status = (Number(from) + start + n) % FAILED === 1 ? "failed" : document.status;
        const run = { ...document, id, created_at: time, updated_at: time, status };
        return store.commit([{ key: runKey(id), document: run, rows: runRows(run) }]);
      }),
    );
  }
  await store.close();
  return [app, workflow, first];
}

async function deploy(base) {
  const stepwell = open(base);
  const { id: app } = await stepwell.apps.create({ name: "Scale" });
  const note = { type: "note", key: "note", note: "Nothing" };
  const { id: workflow } = await stepwell.workflows.create(app, { name: "Tiny", steps: [note] });
  await stepwell.workflows.deploy(app, workflow);
  const first = await once(stepwell, app, workflow);
  await stepwell.close();
  return [app, workflow, first];
}

async function once(stepwell, app, workflow) {
  const { id } = await stepwell.runs.create(app, workflow, {});
  await stepwell.runs.wait(app, id);
  return id;
}

async function measure(base, app, workflow) {
  const before = performance.now();
  const stepwell = open(base);
  const { next_page_token: token } = await stepwell.runs.list(app, { take: 100 });
  const start = performance.now() - before;
  const page = (query) => cpuOf(30, () => stepwell.runs.list(app, { take: 100, ...query }));
  const pages = {
    "first page, µs": await page({}),
    "page behind a position, µs": await page({ page_token: token }),
    "filter with hits, µs": await page({ status: ["succeeded"] }),
    "filter with fewer hits, µs": await page({ status: ["failed"] }),
    "filter without a hit, µs": await page({ status: ["canceled"] }),
    "two statuses, µs": await page({ status: ["succeeded", "failed"] }),
  };
  const creation = await cpuOf(500, () => once(stepwell, app, workflow));
  const waits = await times(() => once(stepwell, app, workflow), 500);
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  await stepwell.close();
  return {
    "start with a page, ms": start,
    "memory, MiB": rss / 2 ** 20,
    "heap, MiB": heapUsed / 2 ** 20,
    ...pages,
    "creation and end of a run, processor, µs": creation,
    "creation and end of a run, median, ms": at(waits, 0.5),
  };
}
