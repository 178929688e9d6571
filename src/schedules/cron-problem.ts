/** What is wrong with a cron expression, for people: the server and the console say it in words of their own. Pure. */

const FIELDS = ["second", "minute", "hour", "day", "month", "weekday"] as const;
export type CronField = (typeof FIELDS)[number];

export type CronProblem =
  /** It has too few fields, or too many. */
  | { readonly kind: "count"; readonly given: number }
  /** A value of a field is not one of `first` to `last`. */
  | {
      readonly kind: "value";
      readonly field: CronField;
      readonly value: string;
      readonly first: number;
      readonly last: number;
    };

const LIMITS: Readonly<Record<CronField, readonly [first: number, last: number]>> = {
  second: [0, 59],
  minute: [0, 59],
  hour: [0, 23],
  day: [1, 31],
  month: [1, 12],
  weekday: [0, 7],
};
const NAMES: Partial<Record<CronField, readonly string[]>> = {
  month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  weekday: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

/** @returns Null if the fields are right, as far as this can see: it leaves `L`, `W`, `#` and `@daily` to croner. */
export function findCronProblem(cron: string): CronProblem | null {
  const given = cron
    .trim()
    .split(/\s+/)
    .filter((part) => part !== "");
  if (given.length === 1 && given[0]?.startsWith("@") === true) return null;
  if (given.length < FIELDS.length - 1 || given.length > FIELDS.length) return { kind: "count", given: given.length };
  const fields = FIELDS.slice(FIELDS.length - given.length);
  for (const [index, field] of fields.entries()) {
    for (const value of given[index]?.split(",") ?? []) {
      const [first, last] = LIMITS[field];
      if (!isValue(value.toLowerCase(), field)) return { kind: "value", field, value, first, last };
    }
  }
  return null;
}

/** Whether it is a value, a range, or either with a step. */
function isValue(text: string, field: CronField): boolean {
  const [range = "", step, ...more] = text.split("/");
  if (more.length > 0 || (step !== undefined && !(isNumber(step) && Number(step) > 0))) return false;
  const ends = range.split("-");
  if (ends.length > 2) return false;
  const [from, to] = ends.map((end) => numberOf(end, field));
  if (from === null || to === null) return false;
  // Sunday ends a week as well as it begins one.
  return to === undefined || from === undefined || from <= to || (field === "weekday" && to === 0);
}

/** The number of a value. Null for one that the field does not have; undefined for one that only croner knows. */
function numberOf(text: string, field: CronField): number | null | undefined {
  if (text === "*" || text === "?") return undefined;
  const named = NAMES[field]?.indexOf(text) ?? -1;
  const [first, last] = LIMITS[field];
  if (named >= 0) return first === 0 ? named : named + first;
  if (/[lw#+]/.test(text)) return undefined;
  return isNumber(text) && Number(text) >= first && Number(text) <= last ? Number(text) : null;
}

const isNumber = (text: string): boolean => /^\d{1,9}$/.test(text);
