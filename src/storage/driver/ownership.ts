/**
 * Ownership of the storage. The store takes it over before it reads anything. Afterwards, all writes of earlier owners
 * are refused. When another process takes over, everything is refused here. ARCHITECTURE.md#fencing describes the
 * protocol and why it is correct.
 */

import { StepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Driver } from "../../ports/driver.ts";
import { type DriverOwnership, type ExtendedDriver, isFenced } from "../../ports/driver.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import { createCallDriver, DEFAULT_TIMEOUT_MS, TAKE_OVER } from "./driver-timeout.ts";
import { type ItemOwner, takeOwnershipByItem } from "./owner-item.ts";

export interface Ownership {
  /** The driver. Once ownership is taken, it writes as the owner. */
  readonly driver: ExtendedDriver;
  /**
   * Takes the storage over, once. Takes it over again if another owner has had the same or a later number: the driver
   * has lost its count of owners, and items of that owner would look like items of this one.
   * @param after Generation of the latest owner that the storage names. Default: 0.
   * @throws StepwellError `unavailable`; call it again then.
   */
  take(after?: number): Promise<void>;
  /** Generation of this owner, greater than those of all earlier owners. */
  readonly generation: number;
  /** Whether this process must not write anymore: another one has taken over, or the storage is released. */
  readonly isLost: boolean;
  /** @throws StepwellError `unavailable` if another process is known to have taken over. */
  check(): void;
  /** Like `check`, but asks the driver. */
  verify(): Promise<void>;
  /** Stops watching for a takeover. Later calls of the driver are refused. */
  release(): void;
}

interface Takeover {
  readonly after: number;
  readonly taken: Promise<DriverOwnership>;
}

export function createOwnership(parts: {
  driver: Driver;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  timeoutMs?: number;
}): Ownership {
  const { clock, ids, logger } = parts;
  const driver = checkedDriver(parts.driver, checkReleased);
  const callDriver = createCallDriver(driver, clock, parts.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  let owner: DriverOwnership | null = null;
  let takeovers = 0;
  /** Set if the driver doesn't support ownership. */
  let itemOwner: ItemOwner | null = null;
  let pendingTakeover: Takeover | null = null;
  let lost: StepwellError | null = null;
  let cancelWatch: () => void = () => undefined;
  let isReleased = false;

  function onReplaced(): StepwellError {
    if (lost !== null) return lost;
    lost = replacedError();
    cancelWatch();
    if (!isReleased) logger.error(lost.message);
    return lost;
  }

  /** Converts the errors of a replaced owner, for synchronous and asynchronous calls. */
  function convertErrors<Answer>(call: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
    if (lost !== null) throw lost;
    const caller = owner;
    const throwAsReplaced = (error: unknown): never => {
      if (!isFenced(error)) throw error;
      // A call that began before this process took over a second time says nothing about other processes.
      throw caller === owner ? onReplaced() : replacedError();
    };
    try {
      const answer = call();
      return answer instanceof Promise ? answer.catch(throwAsReplaced) : answer;
    } catch (error) {
      return throwAsReplaced(error);
    }
  }

  function checkReleased(): void {
    if (isReleased) throw new StepwellError("unavailable", "The store is closed.");
  }

  async function takeFromDriver(after: number): Promise<DriverOwnership> {
    const number = ++takeovers;
    const taken = await driver.takeOwnership?.(() => {
      // A second takeover by this process replaces its own first one.
      if (number === takeovers) onReplaced();
    }, after);
    if (taken !== null && taken !== undefined) return taken;
    const isFirst = itemOwner === null;
    itemOwner = await takeOwnershipByItem(driver, ids, after);
    if (!isFirst) return itemOwner;
    logger.info(
      `The storage driver "${driver.name ?? "unnamed"}" cannot fence the writes of a process that was replaced. ` +
        "Make sure that only one process at a time uses this storage.",
    );
    return itemOwner;
  }

  /** A late answer must not take over from a newer attempt, so attempts share one call. */
  function takeOnce(after: number): Takeover {
    if (pendingTakeover !== null && pendingTakeover.after >= after) return pendingTakeover;
    const taken = takeFromDriver(after).catch((error: unknown) => {
      if (pendingTakeover?.taken === taken) pendingTakeover = null;
      throw error;
    });
    pendingTakeover = { after, taken };
    return pendingTakeover;
  }

  function watch(interval: number): void {
    cancelWatch = clock.after(interval, () => {
      // If the storage doesn't answer, nothing is known about its owner.
      void verify()
        .catch(() => undefined)
        .then(() => {
          if (lost === null && !isReleased) watch(interval);
        });
    });
  }

  async function verify(): Promise<void> {
    if (lost !== null) throw lost;
    const current = owner;
    if (current !== null)
      await callDriver("verifying the owner of", "storage", () => convertErrors(() => current.verify()));
  }

  return {
    driver: ownedDriver(
      driver,
      () => itemOwner ?? driver,
      () => owner?.generation,
      convertErrors,
    ),

    async take(after = 0) {
      if (owner !== null && owner.generation > after) return;
      const { taken: pending } = takeOnce(after);
      const taken = await callDriver(TAKE_OVER, "storage", () => pending);
      if (taken.generation <= after)
        throw new StepwellError("unavailable", generationTooLowMessage(driver, taken.generation, after));
      if (owner === taken) return;
      owner = taken;
      cancelWatch();
      if (!isReleased && taken.verifyIntervalMs !== undefined) watch(taken.verifyIntervalMs);
    },

    get generation() {
      return owner?.generation ?? 0;
    },

    get isLost() {
      return lost !== null || isReleased;
    },

    check() {
      if (lost !== null) throw lost;
    },

    verify,

    release() {
      isReleased = true;
      cancelWatch();
    },
  };
}

/** Returns a driver that reads directly and writes as the owner. */
function ownedDriver(
  driver: ExtendedDriver,
  writer: () => ItemOwner | ExtendedDriver,
  generation: () => number | undefined,
  convertErrors: <Answer>(call: () => Answer | Promise<Answer>) => Answer | Promise<Answer>,
): ExtendedDriver {
  const { setItem, setItemRaw, removeItem, openItem } = driver;
  const owned = (options: object = {}) => ({ ...options, generation: generation() });
  const writes: Partial<ExtendedDriver> = {
    ...(setItem !== undefined && {
      setItem: (key, value, options) => convertErrors(() => writer().setItem?.(key, value, owned(options))),
    }),
    ...(setItemRaw !== undefined && {
      setItemRaw: (key, value, options) => convertErrors(() => writer().setItemRaw?.(key, value, owned(options))),
    }),
    ...(removeItem !== undefined && {
      removeItem: (key, options) => convertErrors(() => writer().removeItem?.(key, owned(options))),
    }),
    ...(openItem !== undefined && {
      async openItem(key: string, from: "new" | "end" | number) {
        const item = await convertErrors(() => (writer().openItem ?? openItem).call(driver, key, from, owned()));
        const { lend } = item;
        return {
          write: (data) => convertErrors(() => item.write(data)),
          lend: lend && (async (length, append) => convertErrors(() => lend(length, append))),
          close: () => item.close(),
        };
      },
    }),
  };
  return new Proxy(driver, {
    get(target, name) {
      const value: unknown = Reflect.get(writes, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function generationTooLowMessage({ name = "unnamed" }: Driver, generation: number, after: number): string {
  return (
    `The storage driver "${name}" took over the storage with the generation ${generation}, but an earlier owner had ` +
    `${after}. Its takeOwnership(onReplaced, after) must return a generation greater than "after".`
  );
}

/** Calls `check` before each call of the driver. */
function checkedDriver(driver: ExtendedDriver, check: () => void): ExtendedDriver {
  return new Proxy(driver, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]) => {
        check();
        return Reflect.apply(value, target, given);
      };
    },
  });
}

function replacedError(): StepwellError {
  return new StepwellError(
    "unavailable",
    "This process no longer owns its storage and has stopped reading and writing it. Another process took it " +
      "over, or its folder or database was moved, emptied or restored. Stop the other process, if any, and " +
      "restart this one.",
  );
}
