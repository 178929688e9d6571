/** Reads parameters such as `metadata[order]=7` of a URL as one object, which the same query has in process. */
import * as v from "valibot";
import { isRecord } from "../json.ts";

/**
 * @param name Name of the parameter before the bracket.
 * @param schema Schema of an object with the member `name`, a map of texts.
 */
export function bracketMap<const Of extends v.GenericSchema>(name: string, schema: Of): Of {
  const start = `${name}[`;
  return v._standardSchema<Of>({
    ...schema,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (!isRecord(dataset.value)) return schema["~run"](dataset, config);
      const entries = Object.entries(dataset.value);
      const isMember = ([key]: readonly [string, unknown]) => key.startsWith(start) && key.endsWith("]");
      const members = entries.filter(isMember);
      if (members.length === 0) return schema["~run"](dataset, config);
      const given = Object.fromEntries(members.map(([key, value]) => [key.slice(start.length, -1), value]));
      const query = { ...Object.fromEntries(entries.filter((entry) => !isMember(entry))), [name]: given };
      const result = schema["~run"]({ value: query }, config);
      for (const issue of result.issues ?? []) {
        const [outer, inner] = issue.path ?? [];
        if (outer?.key !== name || inner === undefined) continue;
        const key = `${start}${String(inner.key)}]`;
        Object.assign(issue, { path: [{ type: "object", origin: "value", input: query, key, value: issue.input }] });
      }
      return result;
    },
  });
}
