/** A schedule while it is edited, as texts. */
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { localDateTime } from "../elements/fields/local-date-time.ts";
import { type IntervalUnit, intervalOf, secondsOf } from "./interval.ts";

export const TIMINGS = ["cron", "every", "at"] as const;

export interface ScheduleDraft {
  readonly workflow_id: string;
  readonly name: string;
  readonly version: string;
  readonly missed: Schedule["missed"];
  readonly timing: (typeof TIMINGS)[number];
  readonly cron: string;
  readonly timezone: string;
  /** In its unit. */
  readonly every: string;
  readonly unit: IntervalUnit;
  /** Local date and time, as the browser's control has it. */
  readonly at: string;
}

export function draftOf(schedule: Schedule | null): ScheduleDraft {
  const { amount, unit } = intervalOf(schedule?.every ?? 3_600);
  return {
    workflow_id: schedule?.workflow_id ?? "",
    name: schedule?.name ?? "",
    version: schedule?.version ?? "latest",
    missed: schedule?.missed ?? "once",
    timing: schedule === null || schedule.cron !== null ? "cron" : schedule.every !== null ? "every" : "at",
    cron: schedule?.cron ?? "0 9 * * mon-fri",
    timezone: schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    every: String(amount),
    unit,
    at: schedule?.at == null ? "" : localDateTime(schedule.at),
  };
}

type Chosen<Timing, Field extends keyof ScheduleDraft> = Pick<ScheduleDraft, Field> & { readonly timing: Timing };

/** The way of timing that is chosen. */
export type ChosenTiming = Chosen<"cron", "cron" | "timezone"> | Chosen<"every", "every" | "unit"> | Chosen<"at", "at">;

export function chosenTiming({ timing, cron, timezone, every, unit, at }: ScheduleDraft): ChosenTiming {
  if (timing === "cron") return { timing, cron, timezone };
  return timing === "every" ? { timing, every, unit } : { timing, at };
}

/** Exactly one way of timing, as the server takes it. */
export function timingOf(chosen: ChosenTiming) {
  switch (chosen.timing) {
    case "cron":
      return { cron: chosen.cron, timezone: chosen.timezone };
    case "every":
      return { every: secondsOf({ amount: Number(chosen.every), unit: chosen.unit }) };
    case "at":
      return { at: new Date(chosen.at).toISOString() };
  }
}
