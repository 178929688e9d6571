/** A driver that fails in one call, chosen by its number, as disks, networks and crashes make it fail. */
import {
  alreadyExists,
  type ExtendedDriver,
  fenced,
  type ItemWriter,
  type WriteOptions,
} from "../../../src/ports/driver.ts";

export const FAULTS = [
  "rejects",
  "loses the response",
  "tears the write and rejects",
  "throws",
  "hangs",
  "dies",
  "dies after the call",
  "tears the write and dies",
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultyDriver {
  readonly driver: ExtendedDriver;
  /** Calls so far. */
  readonly calls: number;
  /** Whether the process has died: from then on nothing reaches the storage, as after kill -9. */
  readonly dead: boolean;
  /** Whether a call hangs. A write-ahead log whose write hangs accepts no other until the process ends. */
  readonly isHanging: boolean;
  /** Settles when the process dies. */
  readonly death: Promise<void>;
  /** Settles when the faulty call begins. */
  readonly begun: Promise<void>;
  /** What is stored. */
  readonly data: Map<string, string>;
  /** Lets a call that hangs take effect after all. */
  release(): void;
}

/** The key that holds the generation of the owner. */
export const GENERATION = "generation";

const never = () => new Promise<never>(() => undefined);

/**
 * A driver over a map in memory, with exclusive creation as src/ports/driver.ts describes it.
 * @param appends Whether the driver can append to items.
 */
export function faultyDriver(data: Map<string, string>, fault: Fault, at: number, appends = false): FaultyDriver {
  let calls = 0;
  let dead = false;
  let isHanging = false;
  let die: () => void = () => undefined;
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  /** @param torn Applies the part of the call that takes effect when it is torn. */
  async function call<T>(act: () => T, torn: () => void = () => undefined): Promise<T> {
    const isFaulty = ++calls === at;
    if (dead) return never();
    // A real driver answers later, so that other calls can come in between.
    await undefined;
    if (!isFaulty) return act();
    begin();
    switch (fault) {
      case "tears the write and rejects":
        torn();
        throw new Error("the disk is full");
      case "rejects":
      case "throws":
        throw new Error("the disk is full");
      case "loses the response":
        act();
        throw new Error("the connection was lost");
      case "hangs":
        isHanging = true;
        await released;
        isHanging = false;
        return act();
      case "tears the write and dies":
        torn();
        break;
      case "dies after the call":
        act();
        break;
      case "dies":
    }
    dead = true;
    die();
    return never();
  }

  function write(key: string, value: string, options: WriteOptions = {}): void {
    const { exclusive = false } = options;
    checkOwner(options);
    if (exclusive && data.has(key)) throw alreadyExists(key);
    data.set(key, value);
  }

  function asAsync<T>(answer: () => Promise<T>): Promise<T> {
    if (fault !== "throws" || calls + 1 !== at || dead) return answer();
    calls++;
    begin();
    throw new Error("the driver threw");
  }

  function append(key: string, text: string, options?: WriteOptions): void {
    checkOwner(options);
    data.set(key, (data.get(key) ?? "") + text);
  }

  /** Only appends, which is all that the log needs. */
  const openItem = (key: string, _from: unknown, options?: WriteOptions): Promise<ItemWriter> =>
    asAsync(() =>
      call(() => ({
        write: (data) =>
          asAsync(() =>
            call(
              () => append(key, String(data), options),
              () => append(key, String(data).slice(0, data.length >> 1), options),
            ),
          ),
        close: async () => undefined,
      })),
    );

  /** Refuses the writes of an owner that was replaced, in one step with the write, as Redis does. */
  function checkOwner({ generation }: WriteOptions = {}): void {
    if (generation !== undefined && data.get(GENERATION) !== String(generation)) throw fenced();
  }

  const driver: ExtendedDriver = {
    name: "faulty",
    takeOwnership: (_, after = 0) =>
      asAsync(() =>
        call(() => {
          const generation = Math.max(Number(data.get(GENERATION)) || 0, after) + 1;
          data.set(GENERATION, String(generation));
          return { generation, verify: () => asAsync(() => call(() => checkOwner({ generation }))) };
        }),
      ),
    ...(appends && { openItem }),
    hasItem: (key) => asAsync(() => call(() => data.has(key))),
    getItem: (key) => asAsync(() => call(() => data.get(key) ?? null)),
    setItem: (key, value, options) =>
      asAsync(() =>
        call(
          () => write(key, value, options),
          () => data.set(key, value.slice(0, value.length >> 1)),
        ),
      ),
    removeItem: (key, options) =>
      asAsync(() =>
        call(() => {
          checkOwner(options);
          data.delete(key);
        }),
      ),
    getKeys: () => [...data.keys()],
  };
  return {
    driver,
    get calls() {
      return calls;
    },
    get dead() {
      return dead;
    },
    get isHanging() {
      return isHanging;
    },
    death,
    begun,
    data,
    release,
  };
}
