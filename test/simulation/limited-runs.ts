/** Runs of workflows whose settings decide when they begin, and what the settings promise about them. */
import type { Run } from "../../src/index.ts";
import { isStepwellError } from "../../src/index.ts";
import type { Settings } from "../../src/workflows/settings.ts";
import type { Call } from "./clients.ts";
import { type Behavior, latency, QUESTION, work } from "./definitions.ts";
import type { KnownRun } from "./model.ts";
import { MANY_SLOTS } from "./plan.ts";
import { START } from "./process.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

export interface LimitedRuns {
  /** Makes a random call as a client. */
  act(random: Random, call: Call): Promise<void>;
  /** Checks all promises. @param runs All runs. */
  check(runs: ReadonlyMap<string, Run>): void;
}

export interface LimitedWorkflow {
  readonly id: string;
  readonly settings: Settings;
}

/** A call that creates a run, or replaces the input of one. Times are facts of the model. */
interface Creation {
  readonly known: KnownRun;
  readonly workflow: LimitedWorkflow;
  /** The workflow and the key. */
  readonly group: string;
  readonly priority: number;
  readonly requested: number;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  /** Set once the call was answered. */
  answered?: number;
  run?: string;
  status?: Run["status"];
  isExisting?: boolean;
  isRejected?: boolean;
}

const SECOND_MS = 1_000;
const MAX_BURST = 12;
const KEYS = ["a", "b"];
const PRIORITIES = [-5, 0, 0, 0, 5];

export function randomSettings(random: Random): Settings {
  const key = "input.key";
  const kinds = ["concurrency", "debounce", "rate_limit"] as const;
  const chosen = new Set([random.pick(kinds), random.pick(kinds)]);
  const period = random.whole(1, 8);
  const strategy = random.pick(["queue", "queue", "reject", "skip", "cancel_oldest"] as const);
  return {
    priority: "input.priority",
    ...(chosen.has("concurrency") ? { concurrency: { key, limit: random.whole(1, 3), strategy } } : {}),
    ...(chosen.has("debounce") ? { debounce: { key, period, max_wait: period * random.whole(1, 4) } } : {}),
    ...(chosen.has("rate_limit")
      ? { rate_limit: { key, limit: random.whole(1, 3), period: random.whole(1, 15) } }
      : {}),
  };
}

/** Some wait for input while they are open. */
export function limitedSteps(random: Random) {
  const ask = { type: "input", key: `${QUESTION}1`, input: { answer: { type: "number" } } } as const;
  const first = work("w0", latency(random), "{{ input.behavior }}");
  return [
    { type: "input", key: "in", input: {} } as const,
    first,
    ...(random.chance(0.3) ? [ask] : []),
    work("w2", latency(random), "ok"),
  ];
}

export function createLimitedRuns(world: World, app: string, workflows: readonly LimitedWorkflow[]): LimitedRuns {
  const { model, plan, timeline, takeovers } = world;
  const creations: Creation[] = [];
  /** Groups of which a run may be canceled. */
  const canceled = new Set<string>();

  function request(random: Random, workflow: LimitedWorkflow, key: string): Creation {
    const behavior = random.pick<Behavior>(["ok", "ok", "ok", "flaky", "fail"]);
    const known = model.request(`limited-${creations.length}`, behavior);
    const group = `${workflow.id}/${key}`;
    const { concurrency } = workflow.settings;
    if (concurrency !== undefined) known.limit = { key: group, most: concurrency.limit };
    if (concurrency?.strategy === "cancel_oldest" || canceled.has(group)) known.isCancelRequested = true;
    // It may be resumed after an answer to any run whose input it replaces.
    known.isProvided = true;
    const requestedAt = START + Math.floor(timeline.now);
    const creation: Creation = {
      ...{ known, workflow, group, requestedAt },
      priority: random.pick(PRIORITIES),
      requested: known.requested,
    };
    creations.push(creation);
    return creation;
  }

  function create(random: Random, call: Call, workflow: LimitedWorkflow, key: string): Promise<void> {
    const creation = request(random, workflow, key);
    const { known, priority } = creation;
    const input = { name: known.name, behavior: known.behavior, key, priority };
    return call(`creates ${known.name}`, async (process) => {
      try {
        const run = await process.call((stepwell) => stepwell.runs.create(app, workflow.id, { input }));
        const { id, status, existing = false } = run;
        world.log(
          `${known.name} (${creation.group}) at ${process.name}: ${id} ${status}${existing ? ", existing" : ""}`,
        );
        Object.assign(creation, { answered: model.next(), run: id, status, isExisting: existing });
        if (!existing && run.input["name"] !== known.name)
          model.violate("own-input", `${id} was created by ${known.name}, and has the input of ${run.input["name"]}.`);
      } catch (error) {
        if (isStepwellError(error, "too_many_requests")) creation.isRejected = true;
        throw error;
      }
    });
  }

  function cancel(call: Call, { run = "", group }: Creation): Promise<void> {
    // Its input may be that of a call that got no answer, or of one that comes before the run is canceled.
    canceled.add(group);
    for (const other of creations) if (other.group === group) other.known.isCancelRequested = true;
    return call(`cancels ${run}`, async (process) => {
      await process.call((stepwell) => stepwell.runs.cancel(app, run));
    });
  }

  function retry(call: Call, { run = "", group }: Creation): Promise<void> {
    const sharing = creations.filter((other) => other.group === group).map(({ known }) => known);
    return call(`retries ${run}`, async (process) => {
      for (const known of sharing) known.retriesOpen++;
      try {
        await process.call((stepwell) => stepwell.runs.retry(app, run));
      } finally {
        for (const known of sharing) {
          known.retriesOpen--;
          known.retryRequested = model.next();
        }
      }
    });
  }

  const open = (creation: Creation) => creation.run !== undefined;

  return {
    async act(random, call) {
      const workflow = random.pick(workflows);
      const key = random.pick(KEYS);
      const answered = creations.filter(open);
      if (answered.length > 0 && plan.ingredients.has("cancels") && random.chance(0.15))
        return cancel(call, random.pick(answered.slice(-6)));
      if (answered.length > 0 && plan.ingredients.has("retries") && random.chance(0.1))
        return retry(call, random.pick(answered));
      const count = random.chance(0.3) ? random.whole(2, MAX_BURST) : 1;
      await Promise.all(Array.from({ length: count }, () => create(random, call, workflow, key)));
    },

    check(runs) {
      const names = new Map([...runs.values()].map((run) => [run.input["name"], run]));
      for (const creation of creations) checkCreation(creation, runs, names);
      for (const group of new Set(creations.map((one) => one.group))) {
        const calls = creations.filter((one) => one.group === group);
        const begun = calls.flatMap(({ known }) => names.get(known.name) ?? []);
        // A retried run begins twice, and shows the first time.
        const once = begun.filter(({ input }) => model.known(String(input["name"]))?.retryRequested === 0);
        const settings = calls[0]?.workflow.settings ?? {};
        checkConcurrency(group, settings, once);
        checkRate(group, settings, once);
        checkOrder(calls, settings, names);
        for (const run of once) checkDebounce(run, settings, calls);
      }
    },
  };

  function checkCreation(creation: Creation, runs: ReadonlyMap<string, Run>, names: ReadonlyMap<unknown, Run>): void {
    const { known, run, isExisting, isRejected, workflow } = creation;
    const own = names.get(known.name);
    if (run !== undefined && !runs.has(run)) model.violate("acknowledged", `${known.name} got ${run}, which is gone.`);
    if (isRejected && own !== undefined) model.violate("rejected", `${known.name} was rejected, and is ${own.id}.`);
    if (workflow.settings.debounce !== undefined || run === undefined) return;
    if (isExisting === true && own !== undefined)
      model.violate("skipped", `${known.name} got ${run} instead, and is ${own.id}, too.`);
    if (isExisting === false && own?.id !== run) model.violate("own-run", `${known.name} got ${run}, not ${own?.id}.`);
  }

  /** At no time more runs are open than the limit, from the time at which they begin. */
  function checkConcurrency(group: string, { concurrency }: Settings, runs: readonly Run[]): void {
    if (concurrency === undefined) return;
    for (const { started_at } of runs) {
      const isOpen = (run: Run) => run.started_at !== null && started_at !== null && run.started_at <= started_at;
      const open = runs.filter((run) => isOpen(run) && (run.finished_at ?? "") > (started_at ?? ""));
      if (open.length <= concurrency.limit) continue;
      const ids = open.map(({ id }) => id).join(", ");
      model.violate("concurrency", `${ids} of ${group} were open at ${started_at}, the limit is ${concurrency.limit}.`);
    }
  }

  /** A process doesn't know which runs an earlier one has just started. */
  function checkRate(group: string, { rate_limit }: Settings, runs: readonly Run[]): void {
    if (rate_limit === undefined) return;
    const { limit, period } = rate_limit;
    const begun = runs
      .flatMap(({ id, started_at }) => (started_at === null ? [] : { id, at: Date.parse(started_at) }))
      .sort((one, other) => one.at - other.at);
    for (const [index, { id, at }] of begun.entries()) {
      const first = begun[index - limit];
      const since = at - (first?.at ?? 0);
      // Times are whole milliseconds.
      if (since >= period * SECOND_MS - 1) continue;
      // A process that started meanwhile, or just before, may have delayed the first one.
      if (takeovers.some((time) => START + time >= at - since - period * SECOND_MS && START + time <= at)) continue;
      const named = `From ${first?.id} to ${id}, ${limit + 1} runs of ${group} began`;
      model.violate("rate", `${named} within ${since} ms, the period is ${period} s.`);
    }
  }

  /** The input is that of the last call, and the run begins a period after it. */
  function checkDebounce(run: Run, { debounce }: Settings, calls: readonly Creation[]): void {
    const given = calls.find(({ known }) => known.name === run.input["name"]);
    if (debounce === undefined || given?.answered === undefined) return;
    const { answered, requestedAt } = given;
    const later = calls.find((one) => one.run === run.id && one.requested > answered);
    if (later !== undefined)
      model.violate("last-input", `${run.id} has the input of ${given.known.name}, not that of ${later.known.name}.`);
    const latest = Date.parse(run.created_at) + (debounce.max_wait ?? 0) * SECOND_MS;
    const earliest = Math.min(latest, requestedAt + debounce.period * SECOND_MS);
    const early = run.started_at === null ? 0 : earliest - Date.parse(run.started_at);
    if (early > 0) model.violate("debounce", `${run.id} began ${early} ms before its time.`);
  }

  /** Of two runs that were held back one after the other, the second one never begins first without a higher priority. */
  function checkOrder(calls: readonly Creation[], settings: Settings, names: ReadonlyMap<unknown, Run>): void {
    const { concurrency, debounce, rate_limit } = settings;
    if (concurrency === undefined || debounce !== undefined || rate_limit !== undefined) return;
    if (plan.runs < MANY_SLOTS || concurrency.strategy === "cancel_oldest") return;
    const held = calls.filter(({ status, isExisting, known }) => {
      return status === "queued" && isExisting === false && known.retryRequested === 0;
    });
    const startOf = ({ known }: Creation) => names.get(known.name)?.started_at ?? null;
    for (const first of held) {
      for (const second of held) {
        const isBefore = first.answered !== undefined && first.answered < second.requested;
        if (!isBefore || second.priority > first.priority) continue;
        const [one, other] = [startOf(first), startOf(second)];
        if (one === null || other === null || one <= other) continue;
        model.violate("order", `${second.run} began before ${first.run}, which came first: ${other}, ${one}.`);
      }
    }
  }
}
