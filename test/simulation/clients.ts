/** Clients that use the service during faults: each makes random calls, one after another. */
import { isStepwellError, type Run } from "../../src/index.ts";
import { omitUndefined } from "../../src/json.ts";
import type { AppEvents } from "./app-events.ts";
import type { Behavior } from "./definitions.ts";
import { QUESTION } from "./definitions.ts";
import type { LimitedRuns } from "./limited-runs.ts";
import { hasEnded, type KnownRun } from "./model.ts";
import { type SimulatedProcess, START } from "./process.ts";
import type { Workflows, World } from "./world.ts";

/** The pause between two calls of a client. */
const PAUSE_MS = [0, 3_000] as const;
/** Delays of calls for the same run that meet each other's commits. */
const RACE_MS = [0, 10] as const;
/** The largest burst of concurrent creations. */
const MAX_BURST = 30;
/** How long after its creation a run begins that begins later. */
const LATER_MS = [1, 40_000] as const;

export interface Client {
  /** Makes calls until a time. Settles when the last call has settled. */
  act(until: number): Promise<void>;
}

/** Makes a call at a process that the client picks, and checks its error. */
export type Call = (what: string, act: (process: SimulatedProcess) => Promise<void>) => Promise<void>;

/** What clients do besides, if the plan says so. */
export interface Actors {
  readonly limited: LimitedRuns;
  readonly events: AppEvents;
}

export function createClient(
  name: string,
  world: World,
  { app, random: workflows }: Workflows,
  { limited, events }: Actors,
): Client {
  const { plan, model, timeline, processes } = world;
  const random = world.random.fork();
  let requests = 0;

  /** Mostly the current process; a client whose connection was never closed may still call the previous one. */
  function pickProcess(): SimulatedProcess {
    const living = processes.filter(({ state }) => state !== "dead");
    return living.length > 1 && random.chance(0.4) ? random.pick(living) : world.current();
  }

  const call: Call = (what, act) => {
    const process = pickProcess();
    return attempt(what, process, () => act(process));
  };

  async function attempt(what: string, process: SimulatedProcess, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      world.log(`${name} ${what} at ${process.name}: ${error instanceof Error ? error.message : error}`);
      model.failed(error, what, process);
    }
  }

  function behavior(): Behavior {
    if (plan.ingredients.has("poison") && random.chance(0.1)) return "poison";
    return random.pick(["ok", "ok", "ok", "ok", "flaky", "fail"]);
  }

  const laterTime = () => new Date(START + timeline.now + random.whole(...LATER_MS)).toISOString();

  function create(): Promise<void> {
    const process = pickProcess();
    const known = model.request(`${name}-${++requests}`, behavior());
    const input = { name: known.name, behavior: known.behavior };
    const workflow = random.pick(workflows);
    const run_at = plan.ingredients.has("settings") && random.chance(0.2) ? laterTime() : undefined;
    if (run_at !== undefined) known.notBefore = Date.parse(run_at);
    return attempt(`creates ${known.name}`, process, async () => {
      const run = await process.call((stepwell) =>
        stepwell.runs.create(app, workflow, { input, ...omitUndefined({ run_at }) }),
      );
      world.log(`${name} created ${known.name} at ${process.name}: ${run.id} ${run.status}`);
      model.created(known, run, process);
    });
  }

  async function burst(): Promise<void> {
    await Promise.all(Array.from({ length: random.whole(2, MAX_BURST) }, create));
  }

  /** Makes a call that returns the run. */
  function ask(what: string, { id = "", ...others }: KnownRun, answer: (process: SimulatedProcess) => Promise<Run>) {
    const process = pickProcess();
    return attempt(`${what} ${others.name}`, process, async () => {
      const since = model.sequence;
      const run = await answer(process);
      world.log(`${name} ${what} ${others.name} (${id}) at ${process.name}: ${run.status}`);
      const known = model.runs.get(others.name);
      if (known !== undefined) model.observe(known, run, process, since);
    });
  }

  const look = (known: KnownRun) =>
    ask("looks at", known, (process) => process.call((stepwell) => stepwell.runs.get(app, known.id ?? "")));

  function cancel(known: KnownRun): Promise<void> {
    known.isCancelRequested = true;
    return ask("cancels", known, (process) => process.call((stepwell) => stepwell.runs.cancel(app, known.id ?? "")));
  }

  /** Makes one retry or two concurrent ones, only one of which can succeed. */
  async function retry(known: KnownRun): Promise<void> {
    if (known.end === undefined || known.end.status === "succeeded") return;
    const request = async () => {
      known.retriesOpen++;
      delete known.end;
      await ask("retries", known, (process) => process.call((stepwell) => stepwell.runs.retry(app, known.id ?? "")));
      known.retriesOpen--;
      known.retryRequested = model.sequence + 1;
    };
    await Promise.all(Array.from({ length: random.whole(1, 2) }, request));
  }

  async function provide(known: KnownRun): Promise<void> {
    const process = pickProcess();
    await attempt(`answers ${known.name}`, process, () => provideAll(world, app, known, known.id ?? "", process));
  }

  /** Two answers and a cancellation of the same run arrive while the process stores the first of them. */
  async function provideWhileCanceling(known: KnownRun): Promise<void> {
    const later = async (act: () => Promise<void>) => {
      await timeline.sleep(random.between(...RACE_MS));
      await act();
    };
    await Promise.all([later(() => provide(known)), later(() => provide(known)), later(() => cancel(known))]);
  }

  async function follow(known: KnownRun): Promise<void> {
    const process = pickProcess();
    let last = 0;
    await attempt(`follows ${known.name}`, process, async () => {
      const ending = new AbortController();
      timeline.after(random.between(1_000, 20_000), () => ending.abort(), process);
      const events = await process.call(async (stepwell) =>
        stepwell.runs.events(app, known.id ?? "", { signal: ending.signal })[Symbol.asyncIterator](),
      );
      for (;;) {
        const { done, value } = await process.call(() => events.next());
        if (done === true) return;
        model.followed(known, value, last);
        last = value.id ?? last;
      }
    });
  }

  function next(): Promise<void> | undefined {
    const { ingredients } = plan;
    if (ingredients.has("settings") && random.chance(0.3)) return limited.act(random, call);
    if (ingredients.has("events") && random.chance(0.3)) return events.act(random, call);
    const known = [...model.runs.values()].filter(({ id }) => id !== undefined);
    if (known.length === 0 || random.chance(0.35)) {
      return ingredients.has("bursts") && random.chance(0.1) ? burst() : create();
    }
    // The latest runs are the active ones.
    const run = random.pick(random.chance(0.5) ? known.slice(-5) : known);
    const act = random.pick([look, look, look, follow, provide, cancel, retry, retry]);
    if (ingredients.has("cancels") && random.chance(0.2)) return provideWhileCanceling(run);
    if (act === cancel && !(ingredients.has("cancels") && random.chance(0.5))) return look(run);
    if (act === retry && !ingredients.has("retries")) return look(run);
    return act(run);
  }

  return {
    async act(until) {
      const calls: (Promise<void> | undefined)[] = [];
      while (timeline.now < until) {
        calls.push(next());
        await timeline.sleep(random.between(...PAUSE_MS));
      }
      await Promise.all(calls);
    },
  };
}

/** Provides a run with all input it waits for. @param id The run's id: runs of a schedule share one name. */
export async function provideAll(
  { model, log }: World,
  app: string,
  known: KnownRun,
  id: string,
  process: SimulatedProcess,
): Promise<void> {
  const run = await process.call((stepwell) => stepwell.runs.get(app, id));
  if (hasEnded(run.status)) return;
  for (const { key, status } of run.steps) {
    if (!key.startsWith(QUESTION) || status !== "waiting") continue;
    known.isProvided = true;
    const answer = model.newAnswer();
    try {
      await process.call((stepwell) => stepwell.runs.provide(app, id, key, answer));
      log(`${key} of ${id} got its answer at ${process.name}`);
      model.provided(id, key, answer);
    } catch (error) {
      // Another client was first, or the run has ended.
      if (!isStepwellError(error, "conflict")) throw error;
    }
  }
}
