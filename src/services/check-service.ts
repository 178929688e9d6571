/** Validates services, for programs that no compiler has checked. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { rejectUnknownFields } from "../messages/unknown-fields.ts";
import { DAY_MS } from "../time/units.ts";
import type { AnyAction, AnyService } from "./service.ts";

/** What every model accepts as the name of a tool, and what splits `SERVICE.ACTION` unambiguously. */
const NAME = /^[\w-]{1,64}$/;
const MAX_ATTEMPTS = 100;

const SERVICE_FIELDS = Object.keys({
  name: true,
  title: true,
  connection: true,
  connectionOptional: true,
  publicCredentials: true,
  actions: true,
  close: true,
} satisfies Record<keyof AnyService, true>);

const ACTION_FIELDS = Object.keys({
  input: true,
  output: true,
  run: true,
  title: true,
  description: true,
  maxAttempts: true,
  timeoutMs: true,
} satisfies Record<keyof AnyAction, true>);

/** @throws TypeError for an invalid service */
export function checkService(service: AnyService): void {
  const { name, actions, connection, connectionOptional } = service;
  checkName("a service", name);
  rejectUnknownFields(`The service ${JSON.stringify(name)}`, service, SERVICE_FIELDS);
  const byName = Object.entries(actions ?? {});
  if (byName.length === 0) throw new TypeError(`The service ${JSON.stringify(name)} has no actions.`);
  for (const [action, definition] of byName) {
    checkName(`an action of ${name}`, action);
    checkAction(`${name}.${action}`, definition);
  }
  if (connection !== undefined && !isSchema(connection)) {
    throw new TypeError(`The connection of the service ${JSON.stringify(name)} must be a Standard Schema.`);
  }
  if (connectionOptional === true && !(connection !== undefined && acceptsUndefined(connection))) {
    const what = `The connection of the service ${JSON.stringify(name)} is optional`;
    throw new TypeError(`${what}, so it must have a schema that accepts undefined.`);
  }
}

/** A schema that checks asynchronously is trusted. */
function acceptsUndefined(schema: StandardSchemaV1): boolean {
  const result = schema["~standard"].validate(undefined);
  return result instanceof Promise || result.issues === undefined;
}

function checkName(what: string, name: unknown): void {
  if (typeof name === "string" && NAME.test(name)) return;
  throw new TypeError(
    `${JSON.stringify(name)} is not a valid name of ${what}: it must be 1 to 64 letters, digits, "_" and "-".`,
  );
}

/** Partial, because programs without types can pass anything. */
function checkAction(name: string, action: Partial<AnyAction>): void {
  const { input, output, run, maxAttempts = 1, timeoutMs = 1 } = action;
  rejectUnknownFields(`The action ${name}`, action, ACTION_FIELDS);
  const wrong = (what: string) => new TypeError(`The action ${name} ${what}.`);
  if (typeof run !== "function") throw wrong("must have a run function");
  if (!isSchema(input)) throw wrong("must have a Standard Schema as input");
  if (!isSchema(output)) throw wrong("must have a Standard Schema as output");
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1 || maxAttempts > MAX_ATTEMPTS)
    throw wrong(`must have 1 to ${MAX_ATTEMPTS} attempts`);
  if (!(timeoutMs >= 1 && timeoutMs <= DAY_MS)) throw wrong(`must have a timeout of 1 to ${DAY_MS} milliseconds`);
}

function isSchema(schema: Partial<StandardSchemaV1> | null | undefined): boolean {
  return typeof schema?.["~standard"]?.validate === "function";
}
