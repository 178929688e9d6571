/**
 * Followers of runs: memory of 10,000 that see no event, and processor time of an event with 1,000 followers of one run.
 * All are streams of `fetch` in this process; the sockets of a server come on top.
 */
import { createStepwell } from "stepwell";
import { report } from "./measure.js";

const stepwell = createStepwell({ baseUrl: "http://localhost" });
const { id: app } = await stepwell.apps.create({ name: "Bench" });
const { key } = await stepwell.keys.create(app, { name: "bench" });
const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
const { id: workflow } = await stepwell.workflows.create(app, {
  name: "Waits",
  steps: [
    { type: "input", key: "start", input: {}, destinations: ["ask"] },
    { type: "input", key: "ask", input: { word: { type: "string" } }, destinations: ["end"] },
    { type: "note", key: "end", note: "Done" },
  ],
});
await stepwell.workflows.deploy(app, workflow);

async function waitingRun() {
  const { id } = await stepwell.runs.create(app, workflow, { input: {} });
  while ((await stepwell.runs.get(app, id)).status !== "waiting")
    await new Promise((resolve) => setTimeout(resolve, 5));
  return id;
}

/** Opens streams and reads the comment that opens them, and what is sent at once. */
async function follow(run, count) {
  const readers = [];
  for (let opened = 0; opened < count; opened++) {
    const request = new Request(`http://localhost/apps/${app}/runs/${run}/events`, { headers });
    const reader = (await stepwell.fetch(request)).body.getReader();
    await reader.read();
    await reader.read();
    readers.push(reader);
  }
  return readers;
}

async function readToEnd(reader) {
  while (!(await reader.read()).done);
}

function memory() {
  for (let round = 0; round < 3; round++) globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 };
}

const busy = await waitingRun();
const readers = await follow(busy, 1_000);
const cpu = process.cpuUsage();
await stepwell.runs.provide(app, busy, "ask", { word: "seen" });
await Promise.all(readers.map(readToEnd));
const { user, system } = process.cpuUsage(cpu);
report("the last events of a run, to each of 1,000 followers", (user + system) / 1_000, "µs");

const idle = await waitingRun();
const before = memory();
const open = await follow(idle, 10_000);
const after = memory();
report("10,000 idle followers, heap", after.heap - before.heap, "MB", "under 200");
report("10,000 idle followers, resident", after.rss - before.rss, "MB", "under 200");
await Promise.all(open.map((reader) => reader.cancel()));
await stepwell.close();
