/** Sealed texts on a driver: read, written and removed in time, and never overtaken by an earlier write of the same key. */
import type { Driver } from "unstorage";
import { StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { WriteOptions } from "../ports/driver.ts";
import { createGuard } from "./guard.ts";
import type { Seal } from "./sealed.ts";

/** What was read: a value, nothing, or a text that is damaged. */
export type Found = { readonly value: unknown; readonly size: number } | "missing" | "damaged";

export interface Texts {
  find(key: string): Promise<Found>;
  /** As `find`, with one call where the driver can read many at once. */
  findMany(keys: readonly string[]): Promise<readonly Found[]>;
  write(key: string, json: string, options?: WriteOptions): Promise<void>;
  remove(key: string): Promise<void>;
}

export function createTexts(parts: { driver: Driver; clock: Clock; seal: Seal; timeout: number }): Texts {
  const { driver, seal } = parts;
  const guard = createGuard(driver, parts.clock, parts.timeout);
  /** Writes that the driver has not settled, also those given up after the timeout: they may still take effect. */
  const unsettled = new Map<string, Promise<void>>();
  const setItem = driver.setItem;
  const removeItem = driver.removeItem;
  if (setItem === undefined || removeItem === undefined) {
    throw new TypeError(`The storage driver "${driver.name ?? "unnamed"}" cannot write: it is read-only.`);
  }

  function understand(key: string, answer: unknown): Found {
    if (answer === null || answer === undefined) return "missing";
    if (typeof answer === "string") {
      const value = seal.open(answer);
      return value === undefined ? "damaged" : { value, size: answer.length };
    }
    const form = Array.isArray(answer) ? "array" : typeof answer;
    throw new StepwellError(
      "unavailable",
      `The storage driver "${driver.name ?? "unnamed"}" gave an ${form} for "${key}" instead of the text that was stored.`,
    );
  }

  async function change(action: string, key: string, call: () => void | Promise<void>): Promise<void> {
    for (let earlier = unsettled.get(key); earlier !== undefined; earlier = unsettled.get(key)) {
      const wait = earlier;
      await guard(`waiting for an earlier write of`, key, () => wait);
    }
    await guard(action, key, () => {
      const answer = call();
      if (!(answer instanceof Promise)) return;
      const settled = answer
        .then(
          () => undefined,
          () => undefined,
        )
        .then(() => {
          unsettled.delete(key);
        });
      unsettled.set(key, settled);
      return answer;
    });
  }

  const find = async (key: string) => understand(key, await guard("reading", key, () => driver.getItem(key)));

  return {
    find,

    async findMany(keys) {
      if (driver.getItems === undefined || keys.length < 2) return Promise.all(keys.map(find));
      const many = driver.getItems;
      const items = await guard("reading", keys.join(", "), () =>
        many.call(
          driver,
          keys.map((key) => ({ key })),
        ),
      );
      return keys.map((key, index) => understand(key, items[index]?.value));
    },

    write: (key, json, options = {}) =>
      change("writing", key, () => setItem.call(driver, key, seal.seal(json), { ...options })),

    remove: (key) => change("removing", key, () => removeItem.call(driver, key, {})),
  };
}

/** What to say about a text that is there and cannot be what was stored. */
export function damaged(key: string, what: string): StepwellError {
  return new StepwellError(
    "unavailable",
    `${what} at "${key}" in the storage is damaged: its checksum does not fit. Restore it from a copy.`,
  );
}
