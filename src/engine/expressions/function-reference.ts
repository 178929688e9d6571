/**
 * What expressions can call, for editors. The functions themselves: functions/. Imports nothing, because editors load it
 * without the language. Pure.
 */

export interface FunctionReference {
  readonly name: string;
  /** How it is called. */
  readonly call: string;
  /** What it returns, in a sentence. */
  readonly description: string;
  /** Whether it can also be called as `first.name(others)`, only so, or only as `name(…)`. */
  readonly form: "both" | "method" | "function";
  /** Types of values that it is offered for after a dot. */
  readonly on: readonly ValueType[];
}

/** A type by the name that the calls below give to such a value. */
export type ValueType = "text" | "number" | "boolean" | "date" | "list" | "map";

/** @param on @default the type that the first value of the call is named after */
type Row = readonly [call: string, description: string, on?: readonly ValueType[]];

/** By the names of values in calls: what takes any value is offered for those that have no fields. */
const TYPES: Readonly<Record<string, readonly ValueType[]>> = {
  text: ["text"],
  number: ["number"],
  date: ["date"],
  list: ["list"],
  map: ["map"],
  value: ["text", "number", "boolean", "date"],
};

/** Functions of Stepwell: `lower(name)` and `name.lower()`. */
const OWN: readonly Row[] = [
  ["text(value)", "The value as text: a string unchanged, anything else as JSON."],
  ["number(value)", "The number that a text represents."],
  ["default(value, other)", "`other` if the value is null or missing (`.?`)."],
  ["parseJson(text)", "The value of a JSON text."],
  ["lower(text)", "The text in lower case."],
  ["upper(text)", "The text in upper case."],
  ["replace(text, from, to)", "The text with `to` for each `from`; a fourth argument limits how many."],
  [
    "slice(list, from, to)",
    "Part of a list or text. Negative positions count from the end; `to` can be omitted.",
    ["list", "text"],
  ],
  ["urlEncode(value)", "The value encoded as a part of a path or query."],
  ["escapeMarkdown(value)", "The text such that Markdown shows it as plain text."],
  ["round(number, digits)", "The number rounded to `digits` decimals, 0 if omitted."],
  ["fixed(number, digits)", "The number as text with exactly `digits` decimals."],
  ["floor(number)", "The next lower whole number."],
  ["ceil(number)", "The next higher whole number."],
  ["abs(number)", "The number without its sign."],
  ["first(list)", "The first item, or null."],
  ["last(list)", "The last item, or null."],
  ["sort(list, key)", "The list in ascending order; `key` names the field of the items to compare."],
  ["unique(list)", "The list without repeated items."],
  ["reverse(list)", "The list or text in reverse order.", ["list", "text"]],
  ["flatten(list)", "The items of all lists in the list, as one list."],
  ["join(list, between)", "The items as one text, with `between` between them."],
  ["range(from, to)", "The whole numbers from `from` (0 if omitted) up to, but without, `to`.", ["number"]],
  ["sum(list)", "The sum of the numbers."],
  ["avg(list)", "The average of the numbers."],
  ["min(list)", "The smallest item. Also `min(a, b)`."],
  ["max(list)", "The largest item. Also `max(a, b)`."],
  ["keys(map)", "The names of the fields of an object."],
  ["values(map)", "The values of the fields of an object."],
  ["entries(map)", "The fields of an object, as a list of `{key, value}`."],
  ["merge(map, other)", "The fields of both objects; those of `other` win."],
  ["date(text)", "The instant that an ISO 8601 text represents."],
  ["format(date, pattern)", 'The date as text in UTC, such as `format(now, "yyyy-MM-dd HH:mm:ss")`.'],
  ["addDays(date, days)", "The date this many days later, or earlier if negative."],
  ["addMonths(date, months)", "The date this many months later, or earlier if negative."],
  ["daysBetween(from, to)", "The number of days from one date to another.", ["date"]],
];

/** Functions that have only one form. */
const FUNCTIONS: readonly Row[] = [
  ["json(value)", "The value as a JSON text."],
  ["has(object.field)", "Whether the object has the field."],
  ["type(value)", "The type of a value, such as `int` or `string`."],
  ["int(value)", "The value as a whole number."],
  ["double(value)", "The value as a decimal number."],
  ["string(value)", "The value as text."],
  ["bool(value)", "The value as true or false."],
  ["timestamp(text)", "The instant that an RFC 3339 text represents."],
  ["duration(text)", 'A duration, such as `duration("1h30m")`.'],
];

const BOTH: readonly Row[] = [
  ["size(value)", "The length of a text, list or object.", ["text", "list", "map"]],
  ["matches(text, pattern)", "Whether the text contains a match of a regular expression (RE2)."],
];

/** Methods and macros of CEL. */
const METHODS: readonly Row[] = [
  ["text.contains(part)", "Whether the text contains another."],
  ["text.startsWith(part)", "Whether the text starts with another."],
  ["text.endsWith(part)", "Whether the text ends with another."],
  ["text.split(between)", "The parts of the text between separators."],
  ["text.trim()", "The text without white space at its ends."],
  ["text.indexOf(part)", "The position of another text in the text, or -1."],
  ["text.lastIndexOf(part)", "The last position of another text in the text, or -1."],
  ["text.substring(from, to)", "The characters from one position up to another."],
  ["text.charAt(position)", "The character at a position."],
  ["list.all(item, condition)", "Whether the condition holds for every item."],
  ["list.exists(item, condition)", "Whether the condition holds for any item."],
  ["list.exists_one(item, condition)", "Whether the condition holds for exactly one item."],
  ["list.filter(item, condition)", "The items for which the condition holds."],
  ["list.map(item, value)", "The list of what the expression gives for each item."],
  ["date.getFullYear()", "The year."],
  ["date.getMonth()", "The month, from 0."],
  ["date.getDate()", "The day of the month, from 1."],
  ["date.getDayOfWeek()", "The day of the week, from 0 for Sunday."],
  ["date.getHours()", "The hour, from 0."],
  ["date.getMinutes()", "The minute."],
  ["date.getSeconds()", "The second."],
];

export const FUNCTION_REFERENCE: readonly FunctionReference[] = [
  ...OWN.map(reference("both")),
  ...FUNCTIONS.map(reference("function")),
  ...BOTH.map(reference("both")),
  ...METHODS.map(reference("method")),
];

/** The name in a call such as `list.join(separator)`. */
function nameOf(call: string): string {
  return call.split("(")[0]?.split(".").at(-1) ?? call;
}

/** Of `list` in `join(list, between)` and `list.filter(item, condition)`. */
function typesOf(call: string): readonly ValueType[] {
  const receiver = /^(\w+)\./.exec(call) ?? /\((\w+)/.exec(call);
  return TYPES[receiver?.[1] ?? ""] ?? [];
}

function reference(form: FunctionReference["form"]): (row: Row) => FunctionReference {
  return ([call, description, on = typesOf(call)]) => ({ name: nameOf(call), call, description, form, on });
}

/** Fills in a field by a model. Only as a whole `{{ }}`, and only where the step names a model in `auto`. */
export const AUTO_REFERENCE: FunctionReference = {
  name: "auto",
  call: 'auto("what you want")',
  description: "A value that the model of the step provides, as the text describes it.",
  form: "function",
  on: [],
};
