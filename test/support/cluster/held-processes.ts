/** Two services over one store in memory, as if each were a process. A test holds their commits before the store gets them. */
import memoryDriver from "../../../adapters/storage/memory.ts";
import { createStepwell, type Options, type Stepwell } from "../../../src/index.ts";
import type { ExtendedDriver } from "../../../src/ports/driver.ts";
import type { Change, DerivedChange, Store } from "../../../src/ports/store.ts";
import { createMemoryData, createMemoryStore, type MemoryData } from "../../../src/storage/memory-store.ts";
import { createTestClock, type TestClock } from "../../../src/testing/index.ts";
import { createGate } from "../gate.ts";
import { SILENT } from "../storage/silent.ts";
import { createInProcessQueue, type InProcessQueue } from "./in-process-queue.ts";

export type Changes = readonly (Change | DerivedChange)[];

export interface HeldProcess {
  readonly stepwell: Stepwell;
  /** Holds the next commit that matches. */
  hold(matches: (changes: Changes) => boolean): Held;
}

export interface Held {
  readonly isReached: boolean;
  /** Lets it go. If it has not been reached, it is not held. */
  release(): void;
}

export interface HeldProcesses {
  readonly one: HeldProcess;
  readonly other: HeldProcess;
  readonly queue: InProcessQueue;
  readonly clock: TestClock;
  readonly data: MemoryData;
  /** Moves the clock until a condition holds. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
  /** Moves the clock until the promise settles. */
  finish<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>>;
  close(): Promise<void>;
}

/** @param options The same for both. */
export async function openHeldProcesses(options: Partial<Options> = {}): Promise<HeldProcesses> {
  const clock = createTestClock();
  const queue = createInProcessQueue(clock);
  const data = createMemoryData();
  const store = createMemoryStore({ clock, data });
  const { dispose: _, ...driver } = memoryDriver();
  const blobs: ExtendedDriver = { ...driver, canBeShared: true };

  async function start(name: string): Promise<HeldProcess> {
    const holding = new Set<{ matches(changes: Changes): boolean; reach(): Promise<void> }>();
    async function commit(changes: Changes): Promise<void> {
      for (const held of holding) {
        if (!held.matches(changes)) continue;
        holding.delete(held);
        await held.reach();
      }
      return store.commit(changes);
    }
    const own: Store = { ...store, commit, close: async () => undefined };
    const stepwell = createStepwell({
      ...{ clock, logger: SILENT, secret: "s".repeat(40) },
      storage: { entities: { name: "held", canBeShared: true, createStore: () => own }, blobs },
      cluster: queue.connect({ name }).adapter,
      ...options,
    }) as Stepwell;
    await stepwell.ready();
    return {
      stepwell,
      hold(matches) {
        const { released, release } = createGate();
        let isReached = false;
        const held = {
          matches,
          reach() {
            isReached = true;
            return released;
          },
        };
        holding.add(held);
        return {
          get isReached() {
            return isReached;
          },
          release() {
            holding.delete(held);
            release();
          },
        };
      },
    };
  }

  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let turn = 0; !(await holds()); turn++) {
      if (turn > MAX_TURNS) throw new Error("What the test waits for has not happened.");
      await clock.advance("100ms");
    }
  }

  async function finish<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
    let result: PromiseSettledResult<T> | undefined;
    void Promise.allSettled([promise]).then(([settled]) => {
      result = settled;
    });
    await until(() => result !== undefined);
    return result as unknown as PromiseSettledResult<T>; // set by then
  }

  const one = await start("one");
  const other = await start("other");
  return {
    ...{ one, other, queue, clock, data, until, finish },
    async close() {
      await finish(Promise.all([one.stepwell.close(), other.stepwell.close()]));
    },
  };
}

/** Ten minutes of the test clock. */
const MAX_TURNS = 6_000;
