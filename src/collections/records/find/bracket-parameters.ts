/**
 * Reads `filter[entity:field][op]=value` and `rule_result[key]=value` of a URL. In process, the same query is a list of
 * conditions and an object, so one schema checks both. Errors name the parameter.
 */
import * as v from "valibot";
import { isRecord } from "../../../json.ts";

/** The operator is the last bracket, so that names may contain brackets. */
const FILTER = /^filter\[(.+?)\](?:\[([^[\]]*)\])?$/s;
const RULE_RESULT = /^rule_result\[(.+)\]$/s;

/** @param schema Schema of an object with `filter`, a list of conditions, and `rule_result`. */
export function readBracketParameters<const Of extends v.GenericSchema>(schema: Of): Of {
  return v._standardSchema<Of>({
    ...schema,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (!isRecord(dataset.value)) return schema["~run"](dataset, config);
      const { query, nameAt } = gather(dataset.value);
      const result = schema["~run"]({ value: query }, config);
      for (const issue of result.issues ?? []) {
        const name = nameAt(issue.path ?? []);
        if (name === null) continue;
        const at = { type: "object", origin: "value", input: query, key: name, value: issue.input } as const;
        Object.assign(issue, { path: [at] });
      }
      return result;
    },
  });
}

/** The query as it is in process, and which parameter an issue is about. */
function gather(given: Readonly<Record<string, unknown>>) {
  const filter: { field: string; op: string; value: unknown }[] = [];
  const names: string[] = [];
  const results = new Map<string, unknown>();
  const rest: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const [, field, op = "eq"] = FILTER.exec(name) ?? [];
    const [, key] = RULE_RESULT.exec(name) ?? [];
    if (field !== undefined) {
      filter.push({ field, op, value: readValue(op, value) });
      names.push(name);
    } else if (key !== undefined) results.set(key, value);
    else rest.push([name, value]);
  }
  const query: Record<string, unknown> = Object.fromEntries(rest);
  if (filter.length > 0) query["filter"] = filter;
  if (results.size > 0) query["rule_result"] = Object.fromEntries(results);

  function nameAt([list, item]: readonly v.IssuePathItem[]): string | null {
    if (list?.key === "filter" && typeof item?.key === "number") return names[item.key] ?? null;
    if (list?.key === "rule_result" && results.has(String(item?.key))) return `rule_result[${String(item?.key)}]`;
    return null;
  }
  return { query, nameAt };
}

function readValue(op: string, value: unknown): unknown {
  if (op !== "in") return typeof value === "string" ? readScalar(value) : value;
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) => (typeof text === "string" ? readList(text) : [text]));
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A JSON number, a boolean or a string in quotes is parsed as JSON. Anything else is text. */
function readScalar(text: string): unknown {
  if (NUMBER.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  if (!text.startsWith('"')) return text;
  const read = readJson(text);
  return typeof read === "string" ? read : text;
}

/** A JSON list, or values separated by commas. Commas in quotes don't separate. */
function readList(text: string): readonly unknown[] {
  const read = text.startsWith("[") ? readJson(text) : undefined;
  return Array.isArray(read) ? read : [...text.matchAll(LIST_ITEM)].map(([item]) => readScalar(item));
}

/** After the beginning of the text, or a comma: a string in quotes, or anything without a comma. */
const LIST_ITEM = /(?<=^|,)(?:"(?:[^"\\]|\\.)*"(?=,|$)|[^,]*)/gs;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
