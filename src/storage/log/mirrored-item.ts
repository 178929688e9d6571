/**
 * A small value that is replaced often, stored in two copies. They are written one after the other, so a driver that
 * tears a write leaves the other copy intact. Damage to one copy never brings back an older value: an acknowledged value
 * is in both copies.
 */
import { damaged } from "../../errors.ts";
import { isRecord } from "../../json.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";

type Copy = "a" | "b";
export const COPIES = ["a", "b"] as const;

export interface MirroredItem<Value extends object> {
  /** Returns the latest intact value, or null if none was ever stored. Must settle before the first `write`. */
  read(): Promise<Value | null>;
  write(value: Value): Promise<void>;
}

/** @param what The value's name in errors. */
export function createMirroredItem<Value extends object>(
  items: ChecksummedItems,
  keyOf: (copy: Copy) => string,
  what: string,
  isValue: (value: unknown) => value is Value,
): MirroredItem<Value> {
  let sequence = 0;
  /** The copy that is known to hold the latest intact value. The other one is written first. */
  let intactCopy: Copy = "b";
  /** Sequence numbers are never reused: a failed write may have taken effect, or may do so later. */
  let lastSequence = 0;

  return {
    async read() {
      const found = await items.findMany(COPIES.map(keyOf));
      let latest: Value | null = null;
      sequence = 0;
      for (const [index, copy] of COPIES.entries()) {
        const text = found[index];
        if (typeof text !== "object" || !isRecord(text.value)) continue;
        const { sequence: number, value } = text.value;
        if (typeof number !== "number" || number <= sequence || !isValue(value)) continue;
        sequence = number;
        intactCopy = copy;
        latest = value;
      }
      // A torn copy next to a missing one may be a first write that was never acknowledged. The caller checks that.
      if (latest === null && found.every((copy) => copy !== "missing")) throw damaged(keyOf("a"), what);
      lastSequence = sequence;
      return latest;
    },

    async write(value) {
      const number = ++lastSequence;
      const json = `{"sequence":${number},"value":${JSON.stringify(value)}}`;
      const [first, second]: [Copy, Copy] = intactCopy === "b" ? ["a", "b"] : ["b", "a"];
      await items.write(keyOf(first), json);
      sequence = number;
      intactCopy = first;
      await items.write(keyOf(second), json);
    },
  };
}
