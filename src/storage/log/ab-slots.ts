/**
 * A small value that is replaced often, stored in two slots. The slots are written one after the other, so a driver
 * that tears a write leaves the other slot intact. Damage to one slot never brings back an older value: an acknowledged
 * value is in both slots.
 */
import { damaged } from "../../errors.ts";
import { isRecord } from "../../json.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";

type Slot = "a" | "b";
const SLOTS = ["a", "b"] as const;

export interface AbSlots<Value extends object> {
  /** Returns the latest intact value, or null if none was ever stored. Must settle before the first `write`. */
  read(): Promise<Value | null>;
  write(value: Value): Promise<void>;
}

/** @param what The value's name in errors. */
export function createAbSlots<Value extends object>(
  items: ChecksummedItems,
  keyOf: (slot: Slot) => string,
  what: string,
  isValue: (value: unknown) => value is Value,
): AbSlots<Value> {
  let sequence = 0;
  /** The slot that is known to hold the latest intact value. The other slot is written first. */
  let wholeSlot: Slot = "b";
  /** Sequence numbers are never reused: a failed write may have taken effect, or may do so later. */
  let lastTried = 0;

  return {
    async read() {
      const found = await items.findMany(SLOTS.map(keyOf));
      let latest: Value | null = null;
      sequence = 0;
      for (const [index, slot] of SLOTS.entries()) {
        const text = found[index];
        if (typeof text !== "object" || !isRecord(text.value)) continue;
        const { sequence: number, value } = text.value;
        if (typeof number !== "number" || number <= sequence || !isValue(value)) continue;
        sequence = number;
        wholeSlot = slot;
        latest = value;
      }
      // A torn slot next to an empty one may be a first write that was never acknowledged. The caller can tell.
      if (latest === null && found.every((slot) => slot !== "missing")) throw damaged(keyOf("a"), what);
      lastTried = sequence;
      return latest;
    },

    async write(value) {
      const number = ++lastTried;
      const json = `{"sequence":${number},"value":${JSON.stringify(value)}}`;
      const [first, second]: [Slot, Slot] = wholeSlot === "b" ? ["a", "b"] : ["b", "a"];
      await items.write(keyOf(first), json);
      sequence = number;
      wholeSlot = first;
      await items.write(keyOf(second), json);
    },
  };
}
