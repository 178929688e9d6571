/** The expression that leads to the output of a step. Pure. */
import { pathText } from "../../expressions/known-value.ts";

/** @param item Index of an item; null for the whole output. */
export function pathOfStep(key: string, item: number | null): string {
  return `${pathText("steps", key, false)}.output${item === null ? "" : `[${item}]`}`;
}
