/** The services that steps can call, by name: the built-in ones, and those given at construction. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { BUILT_IN } from "./builtin/index.ts";
import type { AnyAction, AnyService } from "./define-service.ts";
import { describeServices, type ServiceInfo } from "./service-list.ts";

export interface Services {
  find(service: string, action: string): Found | Unknown;
  /** All of them, as an editor sees them. */
  describe(): Promise<ServiceInfo[]>;
}

export interface Found {
  readonly action: AnyAction;
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
export function createServices(given: readonly AnyService[]): Services {
  const services = new Map<string, ReadonlyMap<string, AnyAction>>();
  const all = [...BUILT_IN, ...given];
  for (const service of all) {
    const { name, actions } = service;
    checkName("a service", name);
    if (services.has(name)) {
      const isBuiltIn = BUILT_IN.some((other) => other.name === name);
      const what = isBuiltIn ? "There is a built-in service" : "Two services are";
      throw new TypeError(`${what} named ${JSON.stringify(name)}.`);
    }
    const byName = new Map(Object.entries(actions ?? {}));
    if (byName.size === 0) throw new TypeError(`The service ${JSON.stringify(name)} has no actions.`);
    for (const [action, definition] of byName) {
      checkName(`an action of ${name}`, action);
      checkAction(`${name}.${action}`, definition);
    }
    services.set(name, byName);
  }

  return {
    describe: () => describeServices(all),

    find(service, name) {
      const actions = services.get(service);
      if (actions === undefined) {
        return { unknown: "service", message: instead("service", service, services.keys()) };
      }
      const action = actions.get(name);
      if (action !== undefined) return { action };
      return { unknown: "action", message: instead(`action of ${service}`, name, actions.keys()) };
    },
  };
}

function instead(what: string, name: string, known: Iterable<string>): string {
  const names = [...known].map((one) => JSON.stringify(one)).join(", ");
  const rest = names === "" ? "none was given at construction" : `there is ${names}`;
  return `There is no ${what} named ${JSON.stringify(name.slice(0, 100))}; ${rest}.`;
}

function checkName(what: string, name: unknown): void {
  if (typeof name === "string" && NAME.test(name)) return;
  throw new TypeError(
    `${JSON.stringify(name)} cannot be the name of ${what}: it must be 1 to 64 letters, digits, "_" and "-".`,
  );
}

/** Programs without types may give anything. */
function checkAction(name: string, { input, output, run, tries = 1, timeout = 1 }: AnyAction): void {
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
