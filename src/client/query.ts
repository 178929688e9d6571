/** Writes the options of a list as the query of a URL, as HTTP.md describes it. */
import { checkJson } from "./check-json.ts";
import { wrongField } from "./connection.ts";

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Starts with a question mark, unless it is empty.
 * @throws StepwellError `invalid` for anything but plain JSON, and for two conditions with the same field and operator,
 * which a URL cannot tell apart
 */
export function queryText(options: unknown): string {
  checkJson(options, "query");
  const query = new URLSearchParams();
  for (const [option, given] of isFields(options) ? Object.entries(options) : []) {
    queryPairs(option, given).forEach(([name, value], index) => {
      if (option === "filter" && query.has(name))
        throw wrongField(`/filter/${index}`, "A URL can have one condition for each field and operator.");
      query.append(name, value);
    });
  }
  const text = String(query);
  return text === "" ? "" : `?${text}`;
}

/** The names and values of an option in the query. */
export function queryPairs(option: string, given: unknown): readonly (readonly [string, string])[] {
  if (given === undefined) return [];
  if (option === "filter" && Array.isArray(given)) return given.map(conditionPair);
  if (option === "sort" && isFields(given)) return [[option, sortText(given)]];
  if (Array.isArray(given)) return given.map((item) => [option, String(item)]);
  if (isFields(given)) return Object.entries(given).flatMap(([key, item]) => queryPairs(`${option}[${key}]`, item));
  return [[option, String(given)]];
}

/** `filter[FIELD][OPERATOR]=VALUE`, with the value as JSON, so that texts stay texts. */
function conditionPair(condition: unknown): readonly [string, string] {
  const { field, op = "eq", value } = isFields(condition) ? condition : {};
  return [`filter[${String(field)}][${String(op)}]`, JSON.stringify(value) ?? ""];
}

function sortText({ field, descending }: Readonly<Record<string, unknown>>): string {
  return `${descending === true ? "-" : ""}${String(field)}`;
}
