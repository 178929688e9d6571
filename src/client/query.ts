/** Writes the options of a list as the query of a URL, as HTTP.md describes it. */
import { wrongField } from "./connection.ts";

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Starts with a question mark, unless it is empty. */
export function queryText(options: unknown): string {
  const query = new URLSearchParams();
  for (const [name, value] of isFields(options) ? Object.entries(options) : []) {
    if (value === undefined) continue;
    if (name === "filter" && Array.isArray(value)) addConditions(query, value);
    else if (name === "sort" && isFields(value)) query.append(name, sortText(value));
    else if (Array.isArray(value)) for (const item of value) query.append(name, String(item));
    else if (isFields(value)) {
      for (const [key, item] of Object.entries(value)) query.append(`${name}[${key}]`, String(item));
    } else query.append(name, String(value));
  }
  const text = String(query);
  return text === "" ? "" : `?${text}`;
}

/**
 * `filter[FIELD][OPERATOR]=VALUE`, with the value as JSON, so that texts stay texts.
 * @throws StepwellError `invalid` for two conditions with the same field and operator, which a URL cannot tell apart
 */
function addConditions(query: URLSearchParams, conditions: readonly unknown[]): void {
  conditions.forEach((condition, index) => {
    const { field, op = "eq", value } = isFields(condition) ? condition : {};
    const name = `filter[${String(field)}][${String(op)}]`;
    if (query.has(name)) {
      throw wrongField(`/filter/${index}`, "A URL can have one condition for each field and operator.");
    }
    query.append(name, JSON.stringify(value) ?? "");
  });
}

function sortText({ field, descending }: Readonly<Record<string, unknown>>): string {
  return `${descending === true ? "-" : ""}${String(field)}`;
}
