/** Runs that wait for events and runs that events start: each event that matters arrives once. */
import type { Run, RunStep, Step } from "../../src/index.ts";
import { isRecord } from "../../src/json.ts";
import type { Call } from "./clients.ts";
import { BEGIN, type Behavior, EMIT, HEAR, LATE, latency, service, work } from "./definitions.ts";
import type { KnownRun } from "./model.ts";
import type { SimulatedProcess } from "./process.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

export interface AppEvents {
  /** Makes a random call as a client. */
  act(random: Random, call: Call): Promise<void>;
  /**
   * Emits the event that a run waits for, unless an earlier one should have arrived.
   * @param polls How often the run was seen since all faults have ended.
   */
  release(run: Run, seen: number, polls: number, process: SimulatedProcess): Promise<void>;
  /** @param runs All runs, which have ended. */
  check(runs: readonly Run[]): void;
}

/** The name of the events that runs wait for. */
const TOLD = "told";
const SHARED_SUBJECTS = ["all-0", "all-1"];
/** How often an open run is seen before an event that it waits for counts as lost: minutes after the last fault. */
const PATIENT_POLLS = 10;

/** An event that a client emits. Times are facts of the model. */
interface Emission {
  readonly subject: string;
  readonly isEven: boolean;
  readonly requested: number;
  answered?: number;
  id?: string;
}

/** Starts a run for each event with the name {@link BEGIN}. */
export function startedSteps(random: Random): Step[] {
  return [
    { type: "input", key: "in", input: { name: { type: "string" }, behavior: { type: "string" } } },
    work("w0", latency(random), "{{ input.behavior }}", true),
  ];
}

/** Waits for two events, one after the other; the first wait may time out. */
export function hearingSteps(random: Random): Step[] {
  const wanted = { name: TOLD, subject: "{{ input.subject }}", lookback: random.pick([0, 0, 600]) };
  const first = service(`${HEAR}1`, ["events", "wait"], { ...wanted, condition: "event.payload.even" });
  const second = service(`${HEAR}2`, ["events", "wait"], wanted);
  const isTimed = random.chance(0.5);
  const routes = isTimed ? { timeout: random.whole(1, 60), on_error: [{ destinations: [`${LATE}1`] }] } : {};
  return [
    { type: "input", key: "in", input: {}, destinations: ["w0"] },
    { ...work("w0", latency(random), "{{ input.behavior }}"), destinations: [first.key] },
    { ...first, ...routes, destinations: ["w2"] },
    ...(isTimed ? [{ ...work(`${LATE}1`, latency(random), "ok"), destinations: ["w2"] }] : []),
    { ...work("w2", latency(random), "ok"), destinations: [second.key] },
    { ...second, destinations: ["w3"] },
    { ...work("w3", latency(random), "ok"), destinations: [] },
  ];
}

export function createAppEvents(world: World, app: string, hearing: string): AppEvents {
  const { model } = world;
  /** By the number in their payload. */
  const emissions: Emission[] = [];
  const hearers: { readonly known: KnownRun; readonly subject: string; run?: string }[] = [];
  /** Since when the waits of runs are known, as `run/step`. */
  const waits = new Map<string, number>();
  /** Names of runs that acknowledged events start. */
  const begun: string[] = [];

  async function emit(process: SimulatedProcess, subject: string, isEven: boolean): Promise<void> {
    const emission: Emission = { subject, isEven, requested: model.next() };
    const payload = { n: emissions.push(emission) - 1, even: isEven };
    const event = await process.call((stepwell) => stepwell.events.emit(app, { name: TOLD, subject, payload }));
    emission.answered = model.next();
    emission.id = event.id;
    world.log(`event ${payload.n} for ${subject} at ${process.name}: ${event.id}`);
  }

  function begin(random: Random, call: Call): Promise<void> {
    const behavior = random.pick<Behavior>(["ok", "ok", "flaky", "fail"]);
    const { name } = model.request(`begun-${world.model.sequence}`, behavior);
    return call(`starts ${name}`, async (process) => {
      await process.call((stepwell) => stepwell.events.emit(app, { name: BEGIN, payload: { name, behavior } }));
      begun.push(name);
    });
  }

  function create(random: Random, call: Call): Promise<void> {
    const known = model.request(`hears-${hearers.length}`, random.pick<Behavior>(["ok", "ok", "ok", "flaky", "fail"]));
    // An event resumes it in addition to the limit of runs.
    known.isProvided = true;
    const { name, behavior } = known;
    const subject = random.chance(0.6) ? name : random.pick(SHARED_SUBJECTS);
    const hearer: (typeof hearers)[number] = { known, subject };
    hearers.push(hearer);
    return call(`creates ${name}`, async (process) => {
      const input = { name, behavior, subject };
      const run = await process.call((stepwell) => stepwell.runs.create(app, hearing, { input }));
      world.log(`created ${name} at ${process.name}: ${run.id} ${run.status}`);
      hearer.run = run.id;
    });
  }

  function look(random: Random, call: Call): Promise<void> {
    const { run = "", known } = random.pick(hearers.slice(-5));
    if (run === "") return Promise.resolve();
    return call(`looks at ${known.name}`, async (process) => {
      note(await process.call((stepwell) => stepwell.runs.get(app, run)));
    });
  }

  /** Remembers since when the run is known to wait. */
  function note({ id, steps }: Run): void {
    for (const { key, status } of steps) {
      const wait = `${id}/${key}`;
      if (isHearing({ key, status }) && !waits.has(wait)) waits.set(wait, model.next());
    }
  }

  const isHearing = ({ key, status }: Pick<RunStep, "key" | "status">) => key.startsWith(HEAR) && status === "waiting";
  const matches = (key: string, { isEven }: Emission) => key !== `${HEAR}1` || isEven;

  return {
    act(random, call) {
      if (hearers.length === 0 || random.chance(0.25)) return create(random, call);
      if (random.chance(0.2)) return begin(random, call);
      if (random.chance(0.4)) return look(random, call);
      const subject = random.chance(0.3) ? random.pick(SHARED_SUBJECTS) : random.pick(hearers.slice(-5)).subject;
      const isEven = random.chance(0.7);
      return call(`tells ${subject}`, (process) => emit(process, subject, isEven));
    },

    async release(run, seen, polls, process) {
      if (polls < PATIENT_POLLS) return;
      const subject = String(run.input["subject"]);
      for (const { key } of run.steps.filter(isHearing)) {
        const since = waits.get(`${run.id}/${key}`) ?? Number.POSITIVE_INFINITY;
        const missed = emissions.find((one) => {
          const { answered = seen, requested } = one;
          return answered < seen && requested > since && one.subject === subject && matches(key, one);
        });
        if (missed !== undefined)
          model.violate("event-lost", `${key} of ${run.id} still waits, and ${missed.id} was acknowledged.`);
        await emit(process, subject, true);
      }
      // Seen only now, so that the event just emitted must have arrived when the run is seen again.
      note(run);
    },

    check(runs) {
      for (const run of runs) {
        const name = String(run.input["name"]);
        const heard = run.steps.filter(({ key, status }) => key.startsWith(HEAR) && status === "succeeded");
        const events = heard.map((step) => checkHeard(run, step));
        if (new Set(events).size !== events.length)
          model.violate("heard-twice", `${run.id} got ${events.join(" and ")} for two waits.`);
        for (const { key, status } of run.steps)
          if (key.startsWith(EMIT) && status === "succeeded") checkStarted(runs, `${name}-${key}`);
      }
      for (const name of begun) checkStarted(runs, name);
    },
  };

  /** Returns the id of the event that a wait has got. */
  function checkHeard({ id, input }: Run, { key, output }: RunStep): string {
    const event = isRecord(output) ? output : {};
    const payload = event["payload"] ?? null;
    const emission = emissions[isRecord(payload) ? Number(payload["n"]) : -1];
    const isRight = emission?.subject === input["subject"] && event["subject"] === input["subject"];
    if (emission === undefined || !isRight || !matches(key, emission))
      model.violate("heard-wrong", `${key} of ${id} got ${JSON.stringify(output)}.`);
    else if (emission.id !== undefined && emission.id !== event["id"])
      model.violate("event-twice", `An event was stored as ${emission.id} and as ${event["id"]}.`);
    return String(event["id"]);
  }

  function checkStarted(runs: readonly Run[], name: string): void {
    const started = runs.filter((run) => run.input["name"] === name && run.parent_run_id === null);
    if (started.length !== 1)
      model.violate("started-once", `${name} was started ${started.length} times by its event.`);
  }
}
