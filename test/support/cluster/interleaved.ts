/**
 * Services of several processes whose calls of the store and the driver take effect one at a time, in an order that a random number
 * decides. A process can be paused: its calls then take effect when it goes on, although the others have given it up.
 */
import type { ExtendedDriver, ItemWriter } from "../../../src/ports/driver.ts";
import { createMemoryData, createMemoryStore } from "../../../src/storage/memory-store.ts";
import { createTestClock } from "../../../src/testing/clock.ts";
import type { OtherReceivers } from "../../../src/uploads/resumable/upload-turns.ts";
import { createService, type Given, type Service } from "../files/service.ts";

export interface Interleaved {
  readonly services: readonly Service[];
  /** Resolves when the process is paused, or is already. */
  paused(process: number): Promise<void>;
  pause(process: number): void;
  resume(process: number): void;
  /** Moves the wall clock on, without any timer. */
  leap(by: number): void;
  /** Lets calls take effect until the work has ended. */
  during<T>(work: Promise<T>): Promise<T>;
}

interface Call {
  readonly process: number;
  go(): void;
}

interface State {
  id: string;
  isPaused: boolean;
  onPause: () => void;
  paused: Promise<void>;
}

/** @param random Returns a whole number from 0 up to, but not including, the limit. */
export async function openInterleaved(
  driver: ExtendedDriver,
  count: number,
  random: (limit: number) => number,
): Promise<Interleaved> {
  const clock = createTestClock();
  let leapt = 0;
  const now = () => clock.now() + leapt;
  const calls: Call[] = [];
  const listeners = new Map<number, (uploadId: string) => void>();
  let ids = 0;
  const states = Array.from({ length: count }, () => running(`process-${ids++}`));
  const shared = createMemoryStore({ clock, data: createMemoryData() });

  const turn = (process: number) => new Promise<void>((go) => calls.push({ process, go }));

  /** The object, with functions whose calls wait for their turn. */
  function inTurn<T extends object>(process: number, object: T, names: readonly (keyof T)[]): T {
    const changed = { ...object };
    for (const name of names) {
      const act = object[name];
      if (typeof act !== "function") continue;
      const waiting = async (...given: unknown[]) => {
        await turn(process);
        return Reflect.apply(act, object, given);
      };
      Reflect.set(changed, name, waiting);
    }
    return changed;
  }

  function driverOf(process: number): ExtendedDriver {
    const names = ["hasItem", "getItemRaw", "getItemRange", "setItemRaw", "removeItem", "openItem"] as const;
    const own = inTurn<ExtendedDriver>(process, driver, names);
    const { openItem } = own;
    if (openItem === undefined) return own;
    const open = async (...given: Parameters<typeof openItem>): Promise<ItemWriter> =>
      inTurn<ItemWriter>(process, await openItem(...given), ["write"]);
    return { ...own, openItem: open };
  }

  function receiverOf(process: number): OtherReceivers {
    return {
      get id() {
        return states[process]?.id ?? "";
      },
      isAlive: async (id) => states.some((state) => state.id === id && !state.isPaused),
      tell(uploadId) {
        if (random(2) === 0) return;
        for (const [other, listener] of listeners) if (other !== process) queueMicrotask(() => listener(uploadId));
      },
      onTold: (listener) => void listeners.set(process, listener),
    };
  }

  const services: Service[] = [];
  let app: Given["app"];
  for (const process of states.keys()) {
    const opening: Promise<Service> = createService({
      ...{
        now,
        after: clock.after,
        elapsed: clock.now,
        bodyIdleMs: 10 * DAY_MS,
        blobs: driverOf(process),
        receivers: receiverOf(process),
      },
      store: inTurn(process, shared, ["get", "getMany", "commit", "list", "listDocuments"]),
      ...(app === undefined ? {} : { app }),
    });
    const service = await during(opening);
    app = service.app;
    services.push(service);
  }

  async function during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    work.then(end, end);
    for (let idle = 0; !isDone; idle++) {
      await new Promise((resolve) => setImmediate(resolve));
      const ready = calls.filter(({ process }) => states[process]?.isPaused === false);
      const next = ready[random(Math.max(1, ready.length))];
      if (next !== undefined) {
        calls.splice(calls.indexOf(next), 1);
        next.go();
        idle = 0;
      } else if (idle > 3) await clock.advance(250);
      if (idle > 2_000) throw new Error("Nothing happens any more.");
    }
    return work;
  }

  return {
    services,
    during,
    paused: async (process) => states[process]?.paused,
    pause(process) {
      const state = states[process];
      if (state === undefined || state.isPaused) return;
      state.isPaused = true;
      state.onPause();
    },
    resume(process) {
      if (states[process]?.isPaused === true) states[process] = running(`process-${ids++}`);
    },
    leap(by) {
      leapt += by;
    },
  };
}

const DAY_MS = 86_400_000;

function running(id: string): State {
  let onPause = () => {};
  const paused = new Promise<void>((resolve) => {
    onPause = resolve;
  });
  return { id, isPaused: false, onPause, paused };
}
