/** The storage driver of one simulated process: every call takes time and can fail. */
import {
  alreadyExists,
  type DriverOwnership,
  type ExtendedDriver,
  fenced,
  type ItemWriter,
  type WriteOptions,
} from "../../src/ports/driver.ts";
import type { Disk, InFlight } from "./disk.ts";
import type { Random } from "./random.ts";
import type { Lane, Timeline } from "./timeline.ts";

/** How often calls fail at the moment; changes during the simulation. */
export interface Conditions {
  /** The probability that a call fails, hangs or loses its response. */
  faultRate: number;
  /** Whether every call fails. */
  isDown: boolean;
  /** Milliseconds that every call takes at most, in addition to its latency. */
  slowness: number;
}

const LOCAL_FAULTS = ["refused", "refused", "response lost", "slow", "hung"] as const;
const FAULTS = { folder: LOCAL_FAULTS, plain: LOCAL_FAULTS, server: [...LOCAL_FAULTS, "sent twice"] } as const;
type Fault = (typeof FAULTS)[keyof typeof FAULTS][number] | "none";

/** What a call does to the items. */
interface Action<T> {
  readonly name: string;
  readonly key: string;
  readonly act: () => T;
  /** The partial effect of an interrupted call. */
  readonly applyPartially?: () => void;
}

/** The interval at which a store checks its ownership. */
const VERIFY_INTERVAL_MS = 1_000;

/** Milliseconds until a call of each fault takes effect. */
const LATENCY: Readonly<Record<Fault, readonly [number, number]>> = {
  none: [0.05, 3],
  refused: [0.05, 3],
  "response lost": [0.05, 3],
  "sent twice": [0.05, 30],
  slow: [50, 15_000],
  hung: [31_000, 70_000],
};

export function createSimulatedDriver(parts: {
  disk: Disk;
  process: Lane;
  timeline: Timeline;
  random: Random;
  conditions: Conditions;
  log(text: string): void;
  /** The process has become the owner of the storage. */
  onTakeover(): void;
}): ExtendedDriver {
  const { disk, process, timeline, random, conditions, log, onTakeover } = parts;
  const { items, kind, inFlight } = disk;
  let isDisposed = false;

  function nextFault(): Fault {
    if (conditions.isDown) return "refused";
    return random.chance(conditions.faultRate) ? random.pick<Fault>(FAULTS[kind]) : "none";
  }

  const slowness = () => (conditions.slowness === 0 ? 0 : random.between(0, conditions.slowness));

  function call<T>({ name, key, act, applyPartially }: Action<T>): Promise<T> {
    if (process.state === "dead") return new Promise(() => {});
    if (isDisposed) return Promise.reject(new Error("The driver was disposed of."));
    if (!disk.lock(process)) return Promise.reject(new Error("Another process has the folder open."));
    const fault = nextFault();
    return new Promise((resolve, reject) => {
      const answer = (how: () => void, text: string) => {
        const settle = () => {
          log(`${name} ${key}: ${text}`);
          how();
        };
        timeline.after(random.between(0, 2), settle, process);
      };
      const fail = (text: string) => answer(() => reject(new Error(`Simulated failure: ${text}`)), text);

      function arrive(): void {
        cancel();
        inFlight.delete(flight);
        if (fault === "refused") {
          // A write in place or an append that fails may leave a part of its data.
          if (applyPartially !== undefined && random.chance(0.5)) applyPartially();
          fail(fault);
          return;
        }
        try {
          const result = act();
          // The client got no response to the first request and sent it again.
          const last = fault === "sent twice" ? act() : result;
          if (fault === "response lost") fail(fault);
          else answer(() => resolve(last), fault === "none" ? "ok" : fault);
        } catch (error) {
          answer(() => reject(error), error instanceof Error ? error.name : "failed");
        }
      }

      const flight: InFlight = {
        sender: process,
        arrive,
        ...(applyPartially === undefined
          ? {}
          : {
              applyPartially() {
                flight.drop();
                applyPartially();
              },
            }),
        drop() {
          cancel();
          inFlight.delete(flight);
        },
      };
      inFlight.add(flight);
      const cancel = timeline.after(random.between(...LATENCY[fault]) + slowness(), arrive);
    });
  }

  const part = (text: string) => text.slice(0, random.whole(0, text.length - 1));

  /**
   * A write of an owner. The write of a replaced one has no effect, except those that {@link WriteOptions} permits, each
   * of which takes effect sometimes.
   */
  function asOwner(generation: number, key: string, isPermitted: () => boolean, act: () => void): void {
    const isReplaced = generation !== disk.generation;
    if (!isReplaced || (isPermitted() && random.chance(0.5))) {
      act();
      if (!isReplaced) disk.writers.set(key, generation);
    }
    if (isReplaced) throw fenced();
  }

  /** Whether a later owner has written the item. */
  const isNewer = (generation: number, key: string) => (disk.writers.get(key) ?? 0) > generation;

  function set(generation: number, key: string, value: string, exclusive: boolean): Promise<void> {
    const isExclusive = exclusive && kind !== "plain";
    const isPermitted = () => !items.has(key) || (!isExclusive && !isNewer(generation, key));
    const act = () => {
      if (isExclusive && items.has(key) && generation === disk.generation) throw alreadyExists(key);
      asOwner(generation, key, isPermitted, () => void items.set(key, value));
    };
    // The fs driver creates items in place, and replaces them by renaming a new file.
    const isInPlace = kind === "plain" || (kind === "folder" && isExclusive && !items.has(key));
    const applyPartially = isInPlace ? { applyPartially: () => void items.set(key, part(value)) } : {};
    return call({ name: isExclusive ? "create" : "set", key, act, ...applyPartially });
  }

  function remove(generation: number, key: string): Promise<void> {
    const isPermitted = () => !isNewer(generation, key);
    return call({
      name: "remove",
      key,
      act: () => asOwner(generation, key, isPermitted, () => void items.delete(key)),
    });
  }

  function append(generation: number, key: string, piece: string): Promise<void> {
    const add = (text: string) => void items.set(key, (items.get(key) ?? "") + text);
    const act = () =>
      asOwner(
        generation,
        key,
        () => true,
        () => add(piece),
      );
    return call({ name: "append", key, act, applyPartially: () => add(part(piece)) });
  }

  function openItem(generation: number, key: string): Promise<ItemWriter> {
    const writer = {
      write: (piece: string | Uint8Array) => append(generation, key, String(piece)),
      close: () => call({ name: "close", key, act: () => undefined }),
    };
    const act = () => {
      if (generation !== disk.generation) throw fenced();
      if (!items.has(key)) throw new Error(`There is no item "${key}".`);
      return writer;
    };
    return call({ name: "open", key, act });
  }

  async function takeOwnership(_: unknown, after = 0): Promise<DriverOwnership> {
    const act = () => {
      onTakeover();
      return disk.takeOver(after);
    };
    const generation = await call({ name: "take over", key: "storage", act });
    const isNever = () => false;
    const verify = () => asOwner(generation, "owner", isNever, () => {});
    return {
      generation,
      verify: () => call({ name: "verify", key: "owner", act: verify }),
      verifyIntervalMs: VERIFY_INTERVAL_MS,
    };
  }

  /** A write without a generation is never rejected as one of an earlier owner. */
  const generationOf = ({ generation = disk.generation }: WriteOptions = {}) => generation;

  const read = (key: string) => call({ name: "get", key, act: () => items.get(key) ?? null });

  return {
    name: "simulated",
    hasItem: (key) => call({ name: "has", key, act: () => items.has(key) }),
    getItem: read,
    setItem: (key, value, options: WriteOptions = {}) =>
      set(generationOf(options), key, value, options.exclusive === true),
    removeItem: (key, options: WriteOptions = {}) => remove(generationOf(options), key),
    ...(kind !== "plain" && { takeOwnership }),
    getKeys: () => [...items.keys()],
    dispose() {
      isDisposed = true;
      disk.unlock(process);
    },

    ...(kind !== "server"
      ? {}
      : {
          getItems(wanted: readonly { readonly key: string }[]) {
            const keys = wanted.map(({ key }) => key);
            const act = () => keys.map((key) => ({ key, value: items.get(key) ?? null }));
            return call({ name: "get many", key: `${keys[0]} +${keys.length - 1}`, act });
          },
        }),

    ...(kind === "folder" && {
      openItem: (key: string, _: unknown, options?: WriteOptions) => openItem(generationOf(options), key),
    }),
  };
}

/** Decides the effect of the calls that a process had in flight when it died. */
export function cutOff(disk: Disk, process: Lane, random: Random): void {
  for (const flight of [...disk.inFlight]) {
    if (flight.sender !== process) continue;
    const isPartial = flight.applyPartially !== undefined && random.chance(0.4);
    if (isPartial) flight.applyPartially?.();
    else if (random.chance(0.4)) flight.drop();
    // A network request may arrive later; a local call does not.
    else if (disk.kind !== "server" || random.chance(0.5)) flight.arrive();
  }
}
