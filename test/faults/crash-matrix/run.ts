/**
 * The whole crash matrix: kill -9 after and during every write of every workflow, once and twice in a row, and after every
 * write and at random moments of all of them in parallel. `npm run crash-matrix -- [random moments] [seed] [which]`;
 * `which` is a pattern of names, such as `model|files`.
 */

import { openArrivals } from "./arrivals.ts";
import { openCollecting } from "./collecting.ts";
import type { Death } from "./life.ts";
import { openMatrix, type Survival } from "./matrix.ts";

const [, , howMany = "200", seeded = String(Date.now() % 1_000_000), which = ""] = process.argv;
const [moments, seed] = [Number(howMany), Number(seeded)];
/** The number of concurrent cases. */
const AT_ONCE = 3;

/** A scenario whose processes are killed. */
interface Subject {
  readonly name: string;
  survive(deaths: readonly Death[]): Promise<Survival>;
}

const begun = performance.now();
const matrix = await openMatrix();
const arrivals = await openArrivals();
const collecting = await openCollecting();
const isWanted = ({ name }: { name: string }) => new RegExp(which).test(name);
const graphs = matrix.graphs.filter((name) => isWanted({ name }));
const alone: readonly Subject[] = graphs.map((name) => ({ name, survive: (deaths) => matrix.survive([name], deaths) }));
const together: Subject = { name: "all in parallel", survive: (deaths) => matrix.survive(graphs, deaths) };
const arriving = [
  { name: "webhooks and schedules", survive: arrivals.survive },
  { name: "collections", survive: collecting.survive },
].filter(isWanted);
const total = { cases: 0, kills: 0, runs: 0, requests: 0 };
const failures: string[] = [];
/** The references of each workflow alone, which are valid in parallel, too. */
await Promise.all(graphs.map((name) => matrix.reference([name])));

/** Returns the number of killed processes. */
async function attempt({ name, survive }: Subject, deaths: readonly Death[]): Promise<number> {
  total.cases++;
  try {
    const { kills, runs, requests } = await survive(deaths);
    total.kills += kills;
    total.runs += runs;
    total.requests += requests;
    return kills;
  } catch (error) {
    const message = `${name} ${JSON.stringify(deaths)}\n${error instanceof Error ? error.message : error}`;
    failures.push(message);
    console.error(`FAILED ${message}\n`);
    return deaths.length;
  }
}

/** Dies one write later each time, until the work ends before that write. */
async function everyWrite(subject: Subject, deathsAt: (write: number) => readonly Death[]): Promise<number> {
  let write = 1;
  while ((await attempt(subject, deathsAt(write))) > 0) write++;
  return write - 1;
}

async function atOnce(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = tasks.values();
  const work = async () => {
    for (const task of queue) await task();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

await atOnce(
  [...alone, ...arriving].map((subject) => async () => {
    const writes = await everyWrite(subject, (write) => [{ write, when: "after" }]);
    await everyWrite(subject, (write) => [{ write, when: "during" }]);
    await everyWrite(subject, (write) => [
      { write, when: "after" },
      { write: 1 + (write % 4), when: "after" },
    ]);
    console.log(`${subject.name}: ${writes} writes`);
  }),
);

if (graphs.length > 0) {
  const writes = await everyWrite(together, (write) => [{ write, when: "after" }]);
  console.log(`${together.name}: ${writes} writes`);
}

let state = seed;
/** Park and Miller: the same moments for the same seed. */
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}
random();
for (const subject of [...(graphs.length === 0 ? [] : [together]), ...arriving]) {
  const { took } = await subject.survive([]);
  console.log(`${subject.name}: ${Math.round(took)} ms; ${moments} times two random moments with seed ${seed}`);
  const moment = () => ({ after: random() * took });
  const deaths = Array.from({ length: moments }, () => [moment(), moment()]);
  await atOnce(deaths.map((two) => () => attempt(subject, two)));
}

await collecting.close();
await arrivals.close();
await matrix.close();
const seconds = Math.round((performance.now() - begun) / 1_000);
console.log(
  `${total.cases} cases, ${total.kills} processes killed, ${total.runs} runs ended, ${total.requests} requests, ` +
    `${failures.length} failures, ${seconds} s`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
