/** What an item of a list, or a repetition of a loop, is called. People count from 1, expressions from 0. Pure. */
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import type { Messages } from "../../texts/messages.ts";

export const partName = (texts: Messages["run"], { items }: Pick<RunStep, "items">, index: number): string =>
  items === undefined ? texts.repetition(index + 1) : texts.item(index + 1);
