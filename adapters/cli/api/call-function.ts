/** Calls a function of the client by its name. */

import { isRecord } from "../../../src/json.ts";
import type { CliClient } from "../server/open-client.ts";
import type { ApiFunction } from "./functions.ts";

/** @param given Its arguments. The server checks them. */
export function callFunction(
  client: CliClient,
  { group, name }: Pick<ApiFunction, "group" | "name">,
  given: readonly unknown[],
): unknown {
  if (group === "me") return client.me();
  const functions: unknown = Reflect.get(client, group);
  const found: unknown = isRecord(functions) ? functions[name] : undefined;
  if (typeof found !== "function") throw new TypeError(`The client has no function ${group}.${name}.`);
  return Reflect.apply(found, functions, given);
}

/** Whether the client has a function of this name. */
export function hasFunction(client: CliClient, { group, name }: Pick<ApiFunction, "group" | "name">): boolean {
  const functions: unknown = Reflect.get(client, group);
  return group === "me" || (isRecord(functions) && typeof functions[name] === "function");
}

export function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
