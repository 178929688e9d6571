/** Pinned outputs of a draft. Pure. */
import type { JsonValue } from "../../../../../src/json.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";

/** The draft with another pinned output of a step; undefined takes it away. */
export function withPin(definition: Definition, key: string, output: JsonValue | undefined): Definition {
  const others = Object.entries(definition.pinned ?? {}).filter(([one]) => one !== key);
  const all = output === undefined ? others : [...others, [key, output] as const];
  if (all.length > 0) return { ...definition, pinned: Object.fromEntries(all) };
  const { pinned: _, ...rest } = definition;
  return rest;
}
