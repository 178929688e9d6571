/**
 * A small value that is replaced again and again, in two slots that both hold it. They are written one after the other: a
 * driver that tears what it writes in place leaves the other slot whole. Damage to one slot is survived, and never gives
 * an older value: what was acknowledged is in both.
 */
import { damaged } from "../../errors.ts";
import { isRecord } from "../../json.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";

type Slot = "a" | "b";
const SLOTS = ["a", "b"] as const;

export interface AbSlots<Value extends object> {
  /** The latest value that was stored whole, or null when none ever was. Must settle before the first `write`. */
  read(): Promise<Value | null>;
  write(value: Value): Promise<void>;
}

/** @param what Names the value in errors. */
export function createAbSlots<Value extends object>(
  items: ChecksummedItems,
  keyOf: (slot: Slot) => string,
  what: string,
  isValue: (value: unknown) => value is Value,
): AbSlots<Value> {
  let sequence = 0;
  /** The slot that is known to hold the latest whole value; the other one is written first. */
  let wholeSlot: Slot = "b";
  /** Sequences are never taken twice: a write that failed may still have landed, or land later. */
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
      // One torn slot beside an empty one may be a first write that was never acknowledged: the caller knows.
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
