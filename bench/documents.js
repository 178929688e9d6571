/**
 * What the default store costs for each document, directly on its port, on fs: processor time of commits and checkpoints,
 * files, bytes on disk beside the content, memory, and reads; with documents that are only added, and with documents that
 * are replaced and deleted. Run: node --expose-gc --import ../test/support/typescript/register.js documents.js [number]
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHash } from "../adapters/crypto/node-hash.ts";
import fsDriver from "../adapters/storage/fs/fs.ts";
import { createIds } from "../src/ids.ts";
import { createDriverStore } from "../src/storage/store.ts";
import { systemClock } from "../src/time/system-clock.ts";
import { at, report, times } from "./measure.js";

const COUNT = Number(process.argv[2] ?? 100_000);
const AT_ONCE = 64;
const KINDS = ["run", "run-input", "file", "record"];
const text = "x".repeat(700);
const ids = createIds(systemClock);
const ignore = () => undefined;
const logger = { debug: ignore, info: ignore, warn: console.warn, error: console.error };
const keyOf = (n) => `${KINDS[n % KINDS.length]}:${String(n).padStart(10, "0")}`;
const contentOf = (n, version) => ({ n, version, text });

const base = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
const open = () => createDriverStore({ driver: fsDriver({ base }), clock: systemClock, ids, logger, hash: nodeHash });

function disk() {
  const found = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = found.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).blocks * 512, 0);
  return { files: found.length, bytes };
}

/** Processor time for each change, checkpoints included. */
async function apply(title, changes) {
  const store = open();
  await store.get("run:none");
  const before = process.cpuUsage();
  let slowest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    slowest = Math.max(slowest, performance.now() - last);
    last = performance.now();
  }, 1);
  for (let from = 0; from < changes.length; from += AT_ONCE) {
    await Promise.all(changes.slice(from, from + AT_ONCE).map((change) => store.commit([change])));
  }
  await store.close();
  clearInterval(watch);
  const { user, system } = process.cpuUsage(before);
  report(`${title}: processor for each`, (user + system) / changes.length, "µs");
  report(`${title}: longest turn of the event loop`, slowest, "ms");
}

const content = (count) => count * (JSON.stringify(contentOf(COUNT, 1)).length + keyOf(COUNT).length);
function reportDisk(title, count) {
  const { files, bytes } = disk();
  report(`${title}: files`, files, "", `at most ${Math.ceil(count / 500)}`);
  report(`${title}: disk beside the content`, bytes / content(count), "", "at most 1.5");
}

const numbers = Array.from({ length: COUNT }, (_, n) => n);
await apply(
  `${COUNT} new documents`,
  numbers.map((n) => ({ key: keyOf(n), document: contentOf(n, 1) })),
);
reportDisk("new documents", COUNT);

const random = numbers.map((n) => Math.imul(n, 2_654_435_761) >>> 0).map((hash, n) => ({ hash, n }));
random.sort((one, other) => one.hash - other.hash);
const half = random.slice(0, COUNT / 2).map(({ n }) => n);
await apply(
  "half replaced",
  half.map((n) => ({ key: keyOf(n), document: contentOf(n, 2), expected: 1 })),
);
reportDisk("half replaced", COUNT);

const started = performance.now();
const store = open();
await store.get("run:none");
report("start", performance.now() - started, "ms", "under 1,000");
let next = 0;
const reads = await times(() => store.get(keyOf(random[next++].n)), 2_000);
report("read of one, median", at(reads, 0.5), "ms");
const missing = await times(() => store.get(`run:${next++}.none`), 2_000);
report("read of a missing one, median", at(missing, 0.5), "ms");
globalThis.gc?.();
report("heap", process.memoryUsage().heapUsed / 2 ** 20, "MiB");
await store.close();

const deleted = half.slice(0, COUNT / 4);
await apply(
  "a quarter deleted",
  deleted.map((n) => ({ key: keyOf(n), document: null, expected: 2 })),
);
reportDisk("a quarter deleted", (COUNT * 3) / 4);
rmSync(base, { recursive: true, force: true });
