/** Changes of steps. Each keeps everything that it does not name, also what this console does not know. Pure. */
import type { Step } from "../../../../src/workflows/step.ts";

/** The same object with another value of a field; undefined removes it. */
export function withField<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  value: Owner[Name] | undefined,
): Owner {
  const next = { ...owner };
  if (value === undefined) Reflect.deleteProperty(next, name);
  else next[name] = value;
  return next;
}

/** The same for an object that is left out when it is empty. */
export function withOption<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  value: Owner[Name] | undefined,
): Owner | undefined {
  const next = withField(owner, name, value);
  return Object.keys(next).length === 0 ? undefined : next;
}

/** The same object in the same order, with another name for one of its fields. */
export function renamed<Value>(
  owner: Readonly<Record<string, Value>>,
  from: string,
  to: string,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(owner).map(([name, value]) => [name === from ? to : name, value]));
}

export function replaced<Item>(list: readonly Item[], index: number, item: Item): Item[] {
  return list.map((one, at) => (at === index ? item : one));
}

export function removed<Item>(list: readonly Item[], index: number): Item[] {
  return list.filter((_, at) => at !== index);
}

/** @param by -1 for towards the beginning, 1 for towards the end */
export function moved<Item>(list: readonly Item[], index: number, by: -1 | 1): Item[] {
  const to = index + by;
  const [one, other] = [list[index], list[to]];
  if (one === undefined || other === undefined) return [...list];
  return list.map((item, at) => (at === index ? other : at === to ? one : item));
}

/** A name that is not taken: `value`, `value_2`, `value_3`. */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let count = 2; taken.includes(name); count++) name = `${wanted}_${count}`;
  return name;
}

/**
 * Whether a step has what its editor needs. A draft may contain anything, because nothing is lost that somebody has typed:
 * what does not look like a step is edited as JSON.
 */
export function hasShape(step: Step): boolean {
  switch (step.type) {
    case "note":
      return isText(step.note);
    case "input":
      return isObject(step.input) && Object.values(step.input).every((field) => isObject(field) && isText(field.type));
    case "branch":
      return (
        isObject(step.conditions) &&
        Object.values(step.conditions).every((one) => isObject(one) && Array.isArray(one.destinations))
      );
    case "code":
      return isText(step.code);
    case "http_request":
    case "browser":
      return isText(step.url);
    case "service":
      return isObject(step.service) && isText(step.service.service) && isObject(step.service.input);
    case "workflow":
      return step.input === null || isText(step.input) || isObject(step.input);
    case "model":
      return isObject(step.provider) && (isText(step.provider.messages) || Array.isArray(step.provider.messages));
    default:
      return false;
  }
}

const isText = (value: unknown) => typeof value === "string";
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
