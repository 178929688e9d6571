/** Where bodies and queries have ids: by their schemas, and by the values of bodies. */
import type { GenericSchema } from "valibot";
import { isRecord } from "../../../src/json.ts";

/** Steps into a schema: the fields of an object, and what its wrappers, variants, items and pipes contain. */
const INNER = ["wrapped", "item", "value", "rest"] as const;
const INNER_LISTS = ["options", "pipe", "items"] as const;

/** Fields that hold ids, but are not named like that. */
const ALSO_IDS = new Set(["tags", "tools", "version"]);
const isIdField = (name: string) => /(^|_)ids?$/.test(name) || ALSO_IDS.has(name);

/** Pointers to the fields of a schema that hold ids, with `*` for any item: `/rules/*\/workflow_id`. */
export function idFieldsOf(schema: GenericSchema | undefined): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (node: unknown, path: string): void => {
    if (!isRecord(node) || seen.has(node)) return;
    seen.add(node);
    const { entries, type } = node;
    if (isRecord(entries)) {
      for (const [name, field] of Object.entries(entries)) {
        if (isIdField(name)) found.add(`${path}/${name}`);
        visit(field, `${path}/${name}`);
      }
    }
    const below = type === "array" || type === "record" ? `${path}/*` : path;
    for (const name of INNER) visit(node[name], name === "wrapped" ? path : below);
    for (const name of INNER_LISTS) {
      const inner = node[name];
      if (Array.isArray(inner)) for (const one of inner) visit(one, path);
    }
    seen.delete(node);
  };
  visit(schema, "");
  return [...found];
}

const ID = /^[a-z]+_[0-9a-z]{26,40}$/;

/** The ids in a JSON value, by their pointers. */
export function idsIn(value: unknown, pointer = ""): ReadonlyMap<string, string> {
  if (typeof value === "string") return new Map(ID.test(value) ? [[pointer, value]] : []);
  if (typeof value !== "object" || value === null) return new Map();
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...idsIn(inner, `${pointer}/${name}`)]));
}

/** The value with another one at a pointer. */
export function replaceAt(value: unknown, pointer: string, by: string): unknown {
  const copy: unknown = structuredClone(value);
  const names = pointer.slice(1).split("/");
  const last = names.pop() ?? "";
  let inner = copy;
  for (const name of names) inner = Reflect.get(Object(inner), name);
  Reflect.set(Object(inner), last, by);
  return copy;
}

/** The pointer with `*` for any item. */
export const anyItem = (pointer: string) => pointer.replace(/\/\d+(?=\/|$)/g, "/*");
