/** Several services in one process, as if each were a process of its own: they share a store and a queue, and nothing else. */
import * as v from "valibot";
import {
  createStepwell,
  defineService,
  type Logger,
  type Options,
  type Step,
  type Stepwell,
} from "../../../src/index.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Driver } from "../../../src/ports/driver.ts";
import type { GuardedFetch } from "../../../src/ports/fetch.ts";
import type { Store } from "../../../src/ports/store.ts";
import type { StoreAdapter } from "../../../src/ports/store-adapter.ts";
import { createMemoryData } from "../../../src/storage/memory-store.ts";
import { createTestClock, type TestClock } from "../../../src/testing/index.ts";
import { SILENT } from "../storage/silent.ts";
import { createInProcessQueue, type InProcessQueue } from "./in-process-queue.ts";
import { sharedMemory } from "./shared-memory.ts";

/** What the steps of the tests do: `act` is called with the name of the process and the input of the step. */
export type Act = (process: string, given: string, signal: AbortSignal, runId: string) => Promise<string> | string;

export type BeforeCommit = (changes: Parameters<Store["commit"]>[0]) => Promise<void>;

export interface Process {
  readonly stepwell: Stepwell;
  /** Stops the timers and the calls to the store until {@link resume}, as SIGSTOP does. */
  pause(): void;
  /** Stops the calls to the store until {@link resume}. Everything else goes on, as in a process that is cut off. */
  cutOff(): void;
  /** Lets calls reach the store, and holds its answers until {@link resume}: others see what this process does not know yet. */
  holdAnswers(): void;
  resume(): void;
  /** Loses its connection to the store at once and for ever, without a word to the others. */
  kill(): void;
}

export interface Processes {
  readonly queue: InProcessQueue;
  readonly clock: TestClock;
  readonly warnings: string[];
  /** All stored documents, as JSON. */
  documents(): readonly string[];
  start(
    name: string,
    options?: {
      readonly work?: boolean;
      readonly concurrency?: number;
      readonly act?: Act;
      /** Called before a commit of this process takes effect. */
      readonly beforeCommit?: BeforeCommit;
    } & Pick<Options, "limits" | "fetch" | "telemetry">,
  ): Promise<Process>;
  /** Moves the wall clock on, without any timer. @param by Milliseconds. */
  leap(by: number): void;
  /** Moves the clock until a condition holds. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

/** The service whose action calls {@link Act}. */
export const act = (given: string, key = "act", ...destinations: string[]): Step => ({
  ...{ type: "service", key, service: { service: "tests", action: "act", input: { given } }, destinations },
});

/** @param blobs Driver for files, in place of one in memory. */
export function openProcesses(defaultAct: Act = (_, given) => given, blobs?: Driver): Processes {
  const data = createMemoryData();
  const shared = sharedMemory(data);
  const clock = createTestClock();
  const queue = createInProcessQueue(clock);
  let leapt = 0;
  const time: Clock = { now: () => clock.now() + leapt, after: clock.after, elapsed: clock.now };
  const warnings: string[] = [];
  const open = new Set<Stepwell>();
  function note(text: string, { error }: Readonly<Record<string, unknown>> = {}): void {
    warnings.push(error instanceof Error ? `${text}: ${error.message}` : text);
  }
  const logger: Logger = {
    ...SILENT,
    warn: note,
    error: note,
  };

  function mortal(beforeCommit: BeforeCommit): {
    readonly entities: StoreAdapter;
    pause(): void;
    holdAnswers(): void;
    resume(): void;
    kill(): void;
  } {
    let held: Promise<void> | undefined;
    let holds: "requests" | "answers" = "requests";
    let release = () => {};
    /** A call that is held happens when it is let go, as one that was on its way, or its answer comes then. */
    const whenLetGo = async <T>(call: () => Promise<T>): Promise<T> => {
      if (holds === "answers") {
        const answer = call();
        await Promise.all([answer.catch(() => undefined), held]);
        return answer;
      }
      await held;
      return call();
    };
    function pause(): void {
      holds = "requests";
      held = new Promise((resolve) => {
        release = resolve;
      });
    }
    const entities: StoreAdapter = {
      ...shared,
      createStore(ports) {
        const store = shared.createStore(ports);
        return {
          ...store,
          probe: () => whenLetGo(store.probe),
          get: (key) => whenLetGo(() => store.get(key)),
          getMany: (keys) => whenLetGo(() => store.getMany(keys)),
          commit: (changes) =>
            whenLetGo(async () => {
              await beforeCommit(changes);
              await store.commit(changes);
            }),
          list: (name, query) => whenLetGo(() => store.list(name, query)),
          listDocuments: (name, query, keyOf) => whenLetGo(() => store.listDocuments(name, query, keyOf)),
        };
      },
    };
    return {
      entities,
      pause,
      holdAnswers() {
        pause();
        holds = "answers";
      },
      resume() {
        release();
        held = undefined;
        holds = "requests";
      },
      kill: pause,
    };
  }

  /** Timers that fire while the process is stopped fire when it goes on. */
  function stoppable(): { readonly clock: Clock; stop(): void; goOn(): void } {
    let held: (() => void)[] | null = null;
    const later = (callback: () => void) => () => {
      if (held === null) callback();
      else held.push(callback);
    };
    return {
      clock: { ...time, after: (milliseconds, callback) => time.after(milliseconds, later(callback)) },
      stop() {
        held ??= [];
      },
      goOn() {
        const callbacks = held ?? [];
        held = null;
        // After the answers that have been on their way.
        setImmediate(() => {
          for (const callback of callbacks) callback();
        });
      },
    };
  }

  return {
    ...{ queue, clock, warnings },
    documents: () => [...data.documents.values()].map(({ json }) => json),

    leap(by) {
      leapt += by;
    },

    async start(name, options = {}) {
      const { act: does = defaultAct, limits = {}, fetch = unreachable, telemetry, beforeCommit, ...works } = options;
      const action = {
        input: v.object({ given: v.string() }),
        output: v.string(),
        run: ({ given }: { given: string }, { signal, run_id }: { signal: AbortSignal; run_id: string }) =>
          does(name, given, signal, run_id),
      };
      const { entities, pause: cutOff, holdAnswers, resume, kill } = mortal(beforeCommit ?? (async () => undefined));
      const own = stoppable();
      const connection = queue.connect({ ...works, name });
      const stepwell = createStepwell({
        ...{ clock: own.clock, logger, cluster: connection.adapter, limits, fetch },
        secret: "a secret of these tests, long enough",
        ...(telemetry === undefined ? {} : { telemetry }),
        storage: blobs === undefined ? { entities } : { entities, blobs },
        services: [defineService({ name: "tests", actions: { act: action } })],
      });
      open.add(stepwell as Stepwell);
      await stepwell.ready();
      return {
        stepwell: stepwell as Stepwell,
        cutOff,
        holdAnswers,
        pause() {
          cutOff();
          own.stop();
        },
        resume() {
          resume();
          own.goOn();
        },
        kill() {
          kill();
          own.stop();
          connection.kill();
          open.delete(stepwell as Stepwell);
        },
      };
    },

    async until(holds) {
      for (let turn = 0; !(await holds()); turn++) {
        if (turn > MAX_TURNS) throw new Error("What the test waits for has not happened.");
        await clock.advance("250ms");
      }
    },

    async close() {
      let isClosed = false;
      const closing = Promise.all([...open].map((stepwell) => stepwell.close())).finally(() => {
        isClosed = true;
      });
      while (!isClosed) await clock.advance("100ms");
      await closing;
    },
  };
}

const unreachable: GuardedFetch = () => Promise.reject(new Error("These processes reach nothing."));

/** Ten minutes of the test clock. */
const MAX_TURNS = 2_400;

/** Deploys steps as a new workflow of a new app. */
export async function deploy({ stepwell }: Process, steps: readonly Step[], more: object = {}, known?: string) {
  const app = known ?? (await stepwell.apps.create({ name: "Tests" })).id;
  const workflow = (await stepwell.workflows.create(app, { name: "Test", steps: [...steps], ...more })).id;
  await stepwell.workflows.deploy(app, workflow);
  return { app, workflow };
}
