// The other system that the steps call. It sees what really happened, so it can judge what the cluster promises.
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";

/** Milliseconds that each task takes. */
const TASKS = { charge: 200, pack: 600, ship: 200 };
const ORDER = Object.keys(TASKS);

export async function openShop() {
  /** All calls of each run, in order. */
  const calls = new Map();
  /** Receipts by idempotency key: what is repeated has no second effect. */
  const receipts = new Map();
  /** Number of answered calls of each worker. */
  const answered = new Map();
  const watchers = new Set();

  const server = createServer(async (request, response) => {
    const [, run, task] = request.url.split("/");
    const { worker, "idempotency-key": key } = request.headers;
    const call = { run, task, worker, key, state: "open" };
    calls.set(run, [...(calls.get(run) ?? []), call]);
    for (const watch of watchers) watch(call);
    response.on("close", () => {
      call.state = response.writableFinished ? "answered" : "cut";
      if (call.state === "answered") answered.set(worker, (answered.get(worker) ?? 0) + 1);
    });
    await setTimeout(TASKS[task]);
    if (!receipts.has(key)) receipts.set(key, `${task}-${receipts.size + 1}`);
    response.setHeader("content-type", "application/json").end(JSON.stringify({ receipt: receipts.get(key) }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  const all = () => [...calls.values()].flat();

  /** What is wrong with the calls of a run, or null. */
  function problemOf(run) {
    const found = calls.get(run) ?? [];
    const tasks = found.map(({ task }) => task);
    const missing = ORDER.find((task) => !tasks.includes(task));
    if (missing !== undefined) return `${run} has ended without its step ${missing}`;
    // Once the next step has begun, the outcome of a step is stored, so nothing may repeat it.
    const repeated = tasks.find((task, index) => ORDER.indexOf(task) < ORDER.indexOf(tasks[index - 1]));
    if (repeated !== undefined) return `${run} has repeated its finished step ${repeated}`;
    const keys = new Set(found.map(({ key }) => key));
    return keys.size === ORDER.length ? null : `${run} has repeated a step with another idempotency key`;
  }

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    problemOf,
    stepsOf: (worker) => answered.get(worker) ?? 0,
    repeated: () => all().length - receipts.size,

    /**
     * Watches for the calls that a killed worker has not finished.
     * @param since When it was killed.
     * @returns Their number, and after how many seconds others made each of them again.
     */
    async takeoverFrom(worker, since) {
      const last = () =>
        [...calls.values()].flatMap((found) => found.slice(-1)).filter((call) => call.worker === worker);
      while (last().some(({ state }) => state === "open")) await setTimeout(10);
      const left = new Set(last().flatMap(({ run, state }) => (state === "cut" ? [run] : [])));
      const count = left.size;
      const seconds = [];
      const done = new Promise((resolve) => {
        if (count === 0) resolve(seconds);
        watchers.add(function watch({ run }) {
          if (!left.delete(run)) return;
          seconds.push((performance.now() - since) / 1_000);
          if (left.size > 0) return;
          watchers.delete(watch);
          resolve(seconds);
        });
      });
      return { count, done };
    },

    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
