/** What clients know for certain, and the invariants that follow: the oracle of the simulation. */
import { isStepwellError, type Run, type RunEvent, type RunStatus } from "../../src/index.ts";
import { MAX_STEPS } from "../../src/workflows/version.ts";
import { type Answer, type Behavior, EMIT } from "./definitions.ts";
import type { Ingredient, Plan } from "./plan.ts";
import { ConnectionLost, type SimulatedProcess } from "./process.ts";

export interface Violation {
  /** The invariant that was broken; the same for all failures of one kind. */
  readonly invariant: string;
  readonly message: string;
}

/** A run that a client requested. Times are sequence numbers of the facts that the model learned. */
export interface KnownRun {
  readonly name: string;
  readonly behavior: Behavior;
  readonly requested: number;
  id?: string;
  isCancelRequested: boolean;
  /** Whether input or an event may have arrived: such a run resumes in addition to the limit of runs. */
  isProvided: boolean;
  /** Milliseconds since 1970 before which no step may begin. */
  notBefore?: number;
  /** The concurrency limit that the run shares with others. */
  limit?: { readonly key: string; readonly most: number };
  /** Retries without a response yet: each may or may not have taken effect. */
  retriesOpen: number;
  retryRequested: number;
  end?: { readonly status: RunStatus; readonly at: number };
}

export interface Call {
  readonly process: SimulatedProcess;
  readonly name: string;
  readonly step: string;
  readonly run: string;
  readonly key: string;
  readonly isChild: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** How often it is called if nothing interrupts it. */
  readonly tries: number;
}

export interface Model {
  readonly violation: Violation | null;
  readonly runs: ReadonlyMap<string, KnownRun>;
  /** Whether the world was called for a step of a run. */
  wasCalled(run: string, step: string): boolean;
  /** Returns the number of a new fact. */
  next(): number;
  /** The next sequence number. A response may be older than facts that were learned during the call. */
  readonly sequence: number;
  violate(invariant: string, message: string): void;
  /** The run with a name that a client or a step requested. */
  known(name: string): KnownRun | undefined;
  /** A client requests a run. */
  request(name: string, behavior: Behavior): KnownRun;
  /** The creation returned the stored run. */
  created(known: KnownRun, run: Run, process: SimulatedProcess): void;
  /** A call returned the run; `since` was the next sequence number when the call began. */
  observe(known: KnownRun, run: Run, process: SimulatedProcess, since: number): void;
  /** An answer that no client has given. */
  newAnswer(): Answer;
  /** The answer to a question of this run was acknowledged. */
  provided(run: string, step: string, answer: Answer): void;
  /** A follower received an event. @param after The number of the previous event. */
  followed(known: KnownRun, event: RunEvent, after: number): void;
  /** A call failed: some errors are expected. */
  failed(error: unknown, what: string, process: SimulatedProcess): void;
  called(call: Call): { readonly attempts: number; readonly isRetried: boolean; end(): void };
  /** A process becomes the current one: it was started, or took over the storage from one that was started later. */
  started(process: SimulatedProcess): void;
  crashed(process: SimulatedProcess): void;
  /** Whether a run may fail as poison: no other run executed when some process died. */
  mayBePoison(name: string): boolean;
}

/** Starts that a culprit may cause until it is found. Outages, replaced processes and other culprits prolong the search. */
const MAX_POISONED_CALLS = 24;
/** Errors that a client may get while storage or the process has faults. */
const EXPECTED_ERRORS = new Set(["unavailable", "too_many_requests", "conflict"]);

/** What lets a process repeat a call without having been killed: it could not store the outcome. */
const REPEATING: readonly Ingredient[] = ["faults", "outages", "slowness", "takeovers"];

export function createModel(limits: Pick<Plan, "runs" | "queuedRuns" | "ingredients">): Model {
  const runs = new Map<string, KnownRun>();
  const mayRepeat = REPEATING.some((one) => limits.ingredients.has(one));
  /** Calls of the world by idempotency key, and the number of the process that made the first one. */
  const calls = new Map<string, { readonly first: number; count: number }>();
  /** What was called, as `run/step`. */
  const called = new Set<string>();
  /** Steps that a client has seen as succeeded, as `run/step`, with the sequence number. */
  const succeeded = new Map<string, number>();
  /** Acknowledged answers to questions, as `run/step`. */
  const answers = new Map<string, Answer>();
  /** The running calls of each process. */
  const atWork = new Map<SimulatedProcess, Call[]>();
  /** Runs that were returned as queued and not seen since. */
  const queued = new Set<string>();
  const deaths: { readonly at: number; readonly names: ReadonlySet<string> }[] = [];
  let newest: SimulatedProcess | null = null;
  let starts = 0;
  let violation: Violation | null = null;
  let sequence = 0;
  let given = 1;

  function violate(invariant: string, message: string): void {
    violation ??= { invariant, message };
  }

  function checkCall(call: Call, attempts: number, isRetried: boolean): void {
    const { process, name, step, run, key, at, tries } = call;
    const known = knownRun(name);
    if (known === undefined) {
      violate("known-runs", `A step of a run that nobody requested: ${key}.`);
      return;
    }
    if (!key.startsWith(`${run}/${step}/`)) violate("idempotency-keys", `${key} is not of ${run}, ${step}.`);
    const first = calls.get(key)?.first ?? starts;
    const isRunRetried = known.retriesOpen > 0 || known.retryRequested > 0;
    // A run that was canceled before its time begins when it is retried.
    if (!isRunRetried && known.notBefore !== undefined && at < known.notBefore)
      violate("run-at", `${key} was called ${known.notBefore - at} ms before ${name} (${run}) may begin.`);
    if (!mayRepeat && !isRunRetried && attempts > tries + starts - first) {
      violate(
        "at-least-once",
        `${key} was called ${attempts} times, and ${starts - first} processes started meanwhile.`,
      );
    }
    // A replaced process may start steps until it notices.
    if (process !== newest) return;
    if (succeeded.has(`${run}/${step}`))
      violate("step-repeated", `${key} was called after it was known to have succeeded.`);
    if (known.id === run && known.end !== undefined) {
      violate("call-after-end", `${key} was called after its run was known to have ${known.end.status}.`);
    }
    if (known.behavior === "poison" && !isRetried && attempts > MAX_POISONED_CALLS) {
      violate("poison-ends", `${name} has killed the process ${attempts - 1} times and is started again.`);
    }
  }

  /** Runs with provided input and child runs execute in addition to the limit. */
  function checkSlots(process: SimulatedProcess): void {
    const counted = (atWork.get(process) ?? []).filter(({ name, isChild }) => !isChild && !runs.get(name)?.isProvided);
    const ids = new Set(counted.map(({ run }) => run));
    if (ids.size > limits.runs)
      violate("runs-limit", `${ids.size} runs execute, the limit is ${limits.runs}: ${[...ids].join(", ")}.`);
  }

  /** Whatever a run waits for, it shares the limit of its key while it executes. */
  function checkKey(process: SimulatedProcess, name: string): void {
    const limit = runs.get(name)?.limit;
    if (limit === undefined || process !== newest) return;
    const sharing = (atWork.get(process) ?? []).filter((call) => runs.get(call.name)?.limit?.key === limit.key);
    const ids = new Set(sharing.map(({ run }) => run));
    if (ids.size > limit.most)
      violate("key-limit", `${ids.size} runs with ${limit.key} execute, not ${limit.most}: ${[...ids].join(", ")}.`);
  }

  /** Also finds runs that an event started, which a step of a known run has emitted. */
  function knownRun(name: string): KnownRun | undefined {
    const emitter = name.slice(0, name.lastIndexOf(`-${EMIT}`));
    if (!runs.has(name) && runs.has(emitter) && emitter !== name) request(name, "ok");
    return runs.get(name);
  }

  function request(name: string, behavior: Behavior): KnownRun {
    const known = {
      name,
      behavior,
      requested: sequence++,
      isCancelRequested: false,
      isProvided: false,
      retriesOpen: 0,
      retryRequested: 0,
    };
    runs.set(name, known);
    return known;
  }

  function checkEnd(known: KnownRun, { id, status, error }: Run): void {
    const { name, behavior } = known;
    if (status === "canceled" && !known.isCancelRequested) violate("canceled", `Nobody canceled ${name} (${id}).`);
    if (status !== "failed" || behavior === "fail") return;
    if (behavior === "poison" || mayBePoison(name)) return;
    violate("innocent-failed", `${name} (${id}) failed: ${error?.code}: ${error?.message}`);
  }

  function died(process: SimulatedProcess): void {
    deaths.push({ at: sequence++, names: new Set((atWork.get(process) ?? []).map(({ name }) => name)) });
  }

  function mayBePoison(name: string): boolean {
    const known = runs.get(name);
    if (known === undefined || known.behavior === "poison") return true;
    return deaths.some(({ at, names }) => at > known.requested && [...names].every((one) => one === name));
  }

  /** A question has at most one answer: the one that was acknowledged. */
  function checkAnswer(fact: string, { status, output }: Run["steps"][number]): void {
    const answer = answers.get(fact);
    if (answer === undefined || status !== "succeeded") return;
    if (JSON.stringify(output) === JSON.stringify(answer)) return;
    violate("answer-lost", `${fact} got ${JSON.stringify(answer)}, and has ${JSON.stringify(output)}.`);
  }

  function observe(known: KnownRun, run: Run, process: SimulatedProcess, since: number): void {
    const { id, status } = run;
    const isCurrent = process === newest;
    const before = known.end;
    if (isCurrent) {
      for (const step of run.steps) {
        const fact = succeeded.get(`${id}/${step.key}`);
        if (fact !== undefined && fact < since && step.status !== "succeeded") {
          violate("outcome-lost", `${id}/${step.key} was known to have succeeded, and is ${step.status}.`);
        }
      }
      if (before !== undefined && before.at < since && before.status !== status) {
        violate("end-lost", `${known.name} (${id}) was known to have ${before.status}, and is ${status}.`);
      }
    }
    for (const step of run.steps) {
      const fact = `${id}/${step.key}`;
      checkAnswer(fact, step);
      if (step.status === "succeeded" && !succeeded.has(fact)) succeeded.set(fact, sequence++);
    }
    const isOld = known.retriesOpen > 0 || known.retryRequested > since || (known.retryRequested > 0 && !isCurrent);
    if (isOld || !hasEnded(status)) return;
    if (before === undefined) checkEnd(known, run);
    known.end ??= { status, at: sequence++ };
    queued.delete(known.name);
  }

  return {
    get violation() {
      return violation;
    },
    get sequence() {
      return sequence;
    },
    runs,
    violate,
    mayBePoison,
    observe,

    request,
    known: knownRun,
    wasCalled: (run, step) => called.has(`${run}/${step}`),
    next: () => sequence++,

    created(known, run, process) {
      known.id = run.id;
      sequence++;
      if (process !== newest || run.status !== "queued") return;
      queued.add(known.name);
      // Runs that were just admitted hold a slot, but the model doesn't know it yet.
      if (queued.size > limits.queuedRuns + limits.runs) {
        violate("queue-limit", `${queued.size} runs were queued, the limit is ${limits.queuedRuns}.`);
      }
    },

    newAnswer: () => ({ answer: given++ }),

    provided(run, step, answer) {
      const fact = `${run}/${step}`;
      if (answers.has(fact)) violate("provided-once", `Two answers to ${fact} were acknowledged.`);
      answers.set(fact, answer);
      // From now on, the step may not be seen in another state, whatever has happened to the run meanwhile.
      if (!succeeded.has(fact)) succeeded.set(fact, sequence++);
    },

    followed({ name, retriesOpen, retryRequested }, { id, type }, after) {
      if (id === undefined || retriesOpen > 0 || retryRequested > 0) return;
      // The end of a run that was broken off comes after the numbers of all steps that it could have.
      const isBrokenOff = type === "run.failed" && id === MAX_STEPS + 1;
      if (id !== after + 1 && !isBrokenOff)
        violate("event-numbers", `${name}: event ${id} (${type}) came after ${after}.`);
    },

    failed(error, what, process) {
      if (error instanceof ConnectionLost) return;
      if (isStepwellError(error) && EXPECTED_ERRORS.has(error.code)) return;
      if (isStepwellError(error, "not_found")) {
        // Clients only ask for acknowledged runs. A replaced process may see fewer.
        if (process === newest) violate("acknowledged", `${what}: ${error.message}`);
        return;
      }
      violate("clean-errors", `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    },

    called(call) {
      const before = calls.get(call.key) ?? { first: starts, count: 0 };
      const attempts = before.count + 1;
      // An interrupted call keeps its key in a retry.
      const isRetried = call.key.split("/").length > 3 || (runs.get(call.name)?.retryRequested ?? 0) > 0;
      called.add(`${call.run}/${call.step}`);
      calls.set(call.key, { ...before, count: attempts });
      sequence++;
      queued.delete(call.name);
      checkCall(call, attempts, isRetried);
      const active = atWork.get(call.process) ?? [];
      atWork.set(call.process, active);
      active.push(call);
      checkSlots(call.process);
      checkKey(call.process, call.name);
      return { attempts, isRetried, end: () => void active.splice(active.indexOf(call), 1) };
    },

    started(process) {
      // For the next process it makes no difference whether the previous one has died or is only stopped.
      if (newest !== null && newest.state !== "dead") died(newest);
      newest = process;
      starts++;
      queued.clear();
    },

    crashed(process) {
      if (process === newest) died(process);
      atWork.delete(process);
    },
  };
}

const ENDED: ReadonlySet<RunStatus> = new Set(["succeeded", "failed", "canceled"]);
export const hasEnded = (status: RunStatus) => ENDED.has(status);
