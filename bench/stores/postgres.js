/**
 * The store on PostgreSQL: commits in groups against a transaction each, both with the commits of a five-step run, and whole
 * runs of a service. Every commit is flushed to the disk, as PostgreSQL is configured by default. Sides take turns.
 * `node stores/postgres.js`; BENCH_MS is a round's length.
 */
import pg from "pg";
import memoryDriver from "stepwell/storage/memory";
import postgres from "stepwell/storage/postgres";
import { median, report, round } from "../measure.js";
import { deployed } from "../peers/stepwell.js";
import { startPostgres } from "../servers.js";

const milliseconds = Number(process.env.BENCH_MS ?? 2_000);
const ROUNDS = 5;
const LANES = [1, 64];
const POOL = 8;

const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, delay).unref();
    return () => clearTimeout(timer);
  },
};
const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };

const input = { n: 12, note: "x".repeat(400) };
let count = 0;
/** Numbers of lanes that no run uses. Each has lists of its own: transactions of one list would wait for its numbers of rows. */
const lanes = Array.from({ length: Math.max(...LANES) }, (_, lane) => lane);

const server = await startPostgres();
if (server === null) process.exit();
try {
  await compareCommits();
  await measureRuns();
} finally {
  await server.close();
}

async function compareCommits() {
  const store = postgres({ url: server.url, schema: "grouped" }).createStore({ clock, logger });
  const single = await openSingle();
  const sides = { grouped: (changes) => store.commit(changes), single: single.commit };
  for (const at_once of LANES) {
    const seen = { grouped: [], single: [] };
    for (let turn = 0; turn <= ROUNDS; turn++) {
      for (const [name, commit] of Object.entries(sides)) {
        const one = await round(() => runOf(commit), { milliseconds, at_once });
        if (turn > 0) seen[name].push(one);
      }
    }
    const what = `commits of runs, ${at_once === 1 ? "alone" : `${at_once} at once`}`;
    const rate = (name) => median(seen[name].map((one) => one.rate));
    report(`${what}: in groups`, rate("grouped"), "runs/s");
    report(`${what}: in groups, p99`, median(seen.grouped.map(({ p99 }) => p99)), "ms");
    report(`${what}: a transaction each`, rate("single"), "runs/s");
    const ratio = median(seen.grouped.map((one, turn) => one.rate / seen.single[turn].rate));
    report(`${what}: in groups over a transaction each`, ratio, "times", at_once === 1 ? "" : "at least 4");
  }
  await store.close();
  await single.close();
}

/** The same tables and the same SQL for rows, with a statement, and so a transaction, for each commit. */
async function openSingle() {
  const schema = "single";
  const store = postgres({ url: server.url, schema }).createStore({ clock, logger });
  await store.get("run:none");
  await store.close();
  const pool = new pg.Pool({ connectionString: server.url, max: POOL });
  const text = `WITH expected AS (SELECT 1 FROM ${schema}.document WHERE key = ANY ($1::text[]) FOR NO KEY UPDATE),
    written AS (INSERT INTO ${schema}.document SELECT * FROM unnest($2::text[], $3::integer[], $4::text[])
      ON CONFLICT (key) DO UPDATE SET version = excluded.version, json = excluded.json),
    removed AS (DELETE FROM ${schema}.document WHERE key = ANY ($5::text[]))
    SELECT count(*), ${schema}.store_rows('{}', $6, $7, $8, $9, $10, $11) FROM expected`;
  return {
    async commit(changes) {
      const rows = changes.flatMap((change) => (change.rows ?? []).map(({ list, put }) => ({ list, ...put })));
      const written = changes.filter(({ document }) => document !== null);
      const values = [
        changes.filter(({ expected }) => expected > 0).map(({ key }) => key),
        written.map(({ key }) => key),
        written.map(({ expected }) => (expected ?? 0) + 1),
        written.map(({ document }) => JSON.stringify(document)),
        changes.filter(({ document }) => document === null).map(({ key }) => key),
        rows.map(() => 0),
        rows.map(({ list }) => list),
        rows.map(({ id }) => id),
        rows.map(({ id }) => id),
        rows.map(() => null),
        rows.map(({ marks }) => marks.join("\n")),
      ];
      await pool.query(text, values);
    },
    close: () => pool.end(),
  };
}

/** Five commits: created with three rows, three outcomes, ended without its journal. */
async function runOf(commit) {
  const lane = lanes.pop();
  const id = `${Date.now().toString(36)}${String(count++).padStart(8, "0")}`;
  const key = `run:${id}`;
  const rows = (status) =>
    [`runs.app_${lane}`, `runs.work_${lane}`, `active.${lane}`].map((list) => ({
      list,
      put: { id, marks: [`status:${status}`] },
    }));
  await commit([{ key, document: { id, status: "running", input }, expected: null, rows: rows("running") }]);
  const journal = [1, 2, 3].map((step) => `journal:${id}.${step}`);
  for (const record of journal) await commit([{ key: record, document: { output: input }, expected: null }]);
  await commit([
    { key, document: { id, status: "succeeded", input, output: input }, expected: 1, rows: rows("succeeded") },
    ...journal.map((record) => ({ key: record, document: null, expected: 1 })),
  ]);
  lanes.push(lane);
}

async function measureRuns() {
  const entities = postgres({ url: server.url, schema: "service" });
  const service = await deployed({ entities, blobs: memoryDriver() });
  for (const at_once of LANES) {
    const seen = [];
    for (let turn = 0; turn <= ROUNDS; turn++) {
      const one = await round(service.once, { milliseconds, at_once });
      if (turn > 0) seen.push(one);
    }
    const what = `five-step runs of a service, ${at_once === 1 ? "alone" : `${at_once} at once`}`;
    report(what, median(seen.map(({ rate }) => rate)), "runs/s");
    report(`${what}, p99`, median(seen.map(({ p99 }) => p99)), "ms");
  }
  await service.close();
}
