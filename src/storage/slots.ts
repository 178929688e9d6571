/**
 * A small value that is replaced again and again, in two slots that take turns: a driver that tears what it writes in
 * place can only tear the slot that nobody relies on yet.
 */
import { isRecord } from "../json.ts";
import { damaged, type Texts } from "./texts.ts";

export interface Slots<Value extends object> {
  /** The latest value that was stored whole, or null when none ever was. Must settle before the first `write`. */
  read(): Promise<Value | null>;
  write(value: Value): Promise<void>;
}

/** @param what Names the value in errors. */
export function createSlots<Value extends object>(
  texts: Texts,
  keyOf: (slot: "a" | "b") => string,
  what: string,
  isValue: (value: unknown) => value is Value,
): Slots<Value> {
  let sequence = 0;
  /** Sequences are never taken twice: a write that failed may still have landed, or land later. */
  let tried = 0;

  return {
    async read() {
      const found = await texts.findMany([keyOf("a"), keyOf("b")]);
      let latest: Value | null = null;
      sequence = 0;
      for (const slot of found) {
        if (typeof slot !== "object" || !isRecord(slot.value)) continue;
        const { sequence: number, value } = slot.value;
        if (typeof number !== "number" || number <= sequence || !isValue(value)) continue;
        sequence = number;
        latest = value;
      }
      // One torn slot beside an empty one is a first write that was never acknowledged.
      if (latest === null && found.every((slot) => slot !== "missing")) throw damaged(keyOf("a"), what);
      tried = sequence;
      return latest;
    },

    async write(value) {
      // The slot that does not hold the latest whole value, whatever failed in between.
      const slot = sequence % 2 === 0 ? "a" : "b";
      tried += tried % 2 === sequence % 2 ? 1 : 2;
      const number = tried;
      await texts.write(keyOf(slot), `{"sequence":${number},"value":${JSON.stringify(value)}}`);
      sequence = number;
    },
  };
}
