/** The services that steps can call, by name: the built-in ones, and those given at construction. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type BuiltInParts, builtIn } from "./builtin/index.ts";
import type { AnyAction, AnyService, Offering, Pause } from "./define-service.ts";
import { describeServices, type ServiceInfo } from "./service-list.ts";

export interface Services {
  find(service: string, action: string): Found | Unknown;
  /** What the service asks of its connections; a sentence where it asks for none, or is not there. */
  connectionOf(service: string): StandardSchemaV1 | string;
  /** All of them, as an editor sees them. */
  describe(): Promise<ServiceInfo[]>;
}

export interface Found {
  readonly action: AnyAction | Pause;
  readonly needsConnection: boolean;
}

/** What there is instead of what was named. */
export interface Unknown {
  readonly unknown: "service" | "action";
  readonly message: string;
}

/** What every model takes as the name of a tool, and what `SERVICE.ACTION` can be told apart in. */
const NAME = /^[\w-]{1,64}$/;
const MAX_TRIES = 100;
const DAY = 24 * 60 * 60 * 1_000;

/** @throws TypeError for a service that nobody could call, or whose name another one has. */
export function createServices(given: readonly AnyService[], parts: BuiltInParts = {}): Services {
  const services = new Map<
    string,
    { actions: ReadonlyMap<string, AnyAction | Pause>; connection: Offering["connection"] }
  >();
  const known = new Map(Object.entries(builtIn(parts)));
  const all: readonly Offering[] = [...[...known.values()].filter((service) => typeof service !== "string"), ...given];
  for (const service of all) {
    const { name, actions, connection } = service;
    checkName("a service", name);
    if (services.has(name) || typeof known.get(name) === "string") {
      const what = known.has(name) ? "There is a built-in service" : "Two services are";
      throw new TypeError(`${what} named ${JSON.stringify(name)}.`);
    }
    const byName = new Map(Object.entries(actions ?? {}));
    if (byName.size === 0) throw new TypeError(`The service ${JSON.stringify(name)} has no actions.`);
    for (const [action, definition] of byName) {
      checkName(`an action of ${name}`, action);
      if (!known.has(name)) checkAction(`${name}.${action}`, definition);
    }
    if (connection !== undefined && !isSchema(connection)) {
      throw new TypeError(`The connection of the service ${JSON.stringify(name)} is no Standard Schema.`);
    }
    services.set(name, { actions: byName, connection });
  }

  function noService(name: string): string {
    const missing = known.get(name);
    return typeof missing === "string" ? missing : instead("service", name, services.keys());
  }

  return {
    describe: () => describeServices(all),

    find(service, name) {
      const found = services.get(service);
      if (found === undefined) return { unknown: "service", message: noService(service) };
      const action = found.actions.get(name);
      if (action !== undefined) return { action, needsConnection: found.connection !== undefined };
      return { unknown: "action", message: instead(`action of ${service}`, name, found.actions.keys()) };
    },

    connectionOf(service) {
      const found = services.get(service);
      if (found === undefined) return noService(service);
      return found.connection ?? `The service ${JSON.stringify(service)} needs no connection.`;
    },
  };
}

function instead(what: string, name: string, known: Iterable<string>): string {
  const names = [...known].map((one) => JSON.stringify(one)).join(", ");
  return `There is no ${what} named ${JSON.stringify(name.slice(0, 100))}; there is ${names}.`;
}

function checkName(what: string, name: unknown): void {
  if (typeof name === "string" && NAME.test(name)) return;
  throw new TypeError(
    `${JSON.stringify(name)} cannot be the name of ${what}: it must be 1 to 64 letters, digits, "_" and "-".`,
  );
}

/** Programs without types may give anything. */
function checkAction(name: string, { input, output, run, tries = 1, timeout = 1 }: Partial<AnyAction>): void {
  const wrong = (what: string) => new TypeError(`The action ${name} ${what}.`);
  if (typeof run !== "function") throw wrong("has no run function");
  if (!isSchema(input)) throw wrong("has no input that is a Standard Schema");
  if (!isSchema(output)) throw wrong("has no output that is a Standard Schema");
  if (!Number.isInteger(tries) || tries < 1 || tries > MAX_TRIES) throw wrong(`must have 1 to ${MAX_TRIES} tries`);
  if (!(timeout >= 1 && timeout <= DAY)) throw wrong(`must have a timeout of 1 to ${DAY} milliseconds`);
}

function isSchema(schema: Partial<StandardSchemaV1> | null | undefined): boolean {
  return typeof schema?.["~standard"]?.validate === "function";
}
