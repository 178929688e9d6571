// Creates runs through any web process, and follows how many have ended.
import { setTimeout } from "node:timers/promises";
import { createClient } from "stepwell/client";

const UNFINISHED = ["queued", "running", "waiting"];
const ENDED = ["succeeded", "failed", "canceled"];
const MEASURE_MS = 1_000;
/** A machine that is too slow for the rate gets fewer runs. */
const MAX_UNFINISHED = 300;

/** Stands for your load balancer: a request that no response came for is sent to the next web process. */
export function createBalancer(processes, key, signal) {
  let turn = 0;
  return async (call) => {
    for (;;) {
      const webs = processes.up("web");
      const web = webs[turn++ % webs.length];
      try {
        if (web !== undefined) return await call(createClient({ url: web.url, key, retries: 0 }));
      } catch (error) {
        if (error.code !== "unavailable") throw error;
      }
      await setTimeout(50, undefined, { signal });
    }
  };
}

export function createLoad({ service, workflow, rate, signal }) {
  const created = new Set();
  let requested = 0;
  let isEnding = false;
  let ended = 0;
  let endedPerSecond = 0;
  let unfinished = 0;
  let oldest = null;
  let measuredAt = performance.now();

  /** The same idempotency key each time it is sent, so that an order is created once. */
  async function create(number) {
    const idempotencyKey = `order-${number}`;
    const { id } = await service((client) => client.with({ idempotencyKey }).runs.create("me", workflow.id));
    created.add(id);
  }

  async function measure() {
    const [first, last] = await service((client) =>
      Promise.all([
        client.runs.list("me", { status: UNFINISHED, order: "asc", take: 1 }),
        client.runs.list("me", { status: ENDED, take: 1 }),
      ]),
    );
    const now = performance.now();
    endedPerSecond = ((last.total - ended) / (now - measuredAt)) * 1_000;
    measuredAt = now;
    ended = last.total;
    unfinished = first.total;
    oldest = first.items[0]?.created_at ?? null;
  }

  async function measureUntil(isDone) {
    while (!isDone()) {
      await measure();
      await setTimeout(MEASURE_MS, undefined, { signal });
    }
  }

  async function createAll() {
    const requests = [];
    let failure = null;
    while (!isEnding) {
      if (failure !== null) throw failure;
      if (requested - ended < MAX_UNFINISHED) requests.push(create(++requested).catch((error) => (failure = error)));
      await setTimeout(1_000 / rate, undefined, { signal });
    }
    await Promise.all(requests);
    if (failure !== null) throw failure;
  }

  return {
    created,

    /** Creates runs until `end`. Rejects if one cannot be created. */
    run: () => Promise.all([createAll(), measureUntil(() => isEnding)]),
    end() {
      isEnding = true;
    },
    untilAllEnded: () => measureUntil(() => ended >= created.size),

    text(running) {
      const age = oldest === null ? 0 : Math.max(0, Date.now() - Date.parse(oldest)) / 1_000;
      return [
        `created ${created.size}`,
        `ended ${ended} (${endedPerSecond.toFixed(0)}/s)`,
        `waiting ${Math.max(0, unfinished - running)}`,
        `oldest ${age.toFixed(1)} s`,
      ].join("   ");
    },
  };
}
