/** The services that steps can call, by name: the built-in ones and those of the option `services`. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { omitUndefined } from "../json.ts";
import { jsonSchemaOf } from "./action-schema.ts";
import { type BuiltInParts, builtInServices } from "./builtin/index.ts";
import { checkService } from "./check-service.ts";
import { describeServices } from "./describe-services.ts";
import type { AnyService, RegisteredAction, RegisteredService } from "./service.ts";
import type { ServiceInfo } from "./service-info.ts";

export interface Services {
  find(service: string, action: string): Found | Unknown;
  /** The schema of the service's credentials, or a message if it has none or does not exist. */
  connectionOf(service: string): StandardSchemaV1 | string;
  /** Describes all services for editors. */
  describe(): Promise<ServiceInfo[]>;
  /** The JSON Schema of a schema; null if its library cannot generate it. */
  readonly jsonSchemaOf: typeof jsonSchemaOf;
}

export interface Found {
  readonly isKnown: true;
  readonly action: RegisteredAction;
  readonly needsConnection: boolean;
  /** Whether a connection may be given. */
  readonly takesConnection: boolean;
  /** Fields of the credentials that are not secret. */
  readonly publicCredentials: readonly string[];
}

/** The name that does not exist, and what is available instead. */
export interface Unknown {
  readonly isKnown: false;
  readonly unknown: "service" | "action";
  readonly message: string;
}

/** @throws TypeError for an invalid service, or two services with the same name */
export function createServices(given: readonly AnyService[], parts: BuiltInParts): Services {
  const services = new Map<
    string,
    Pick<RegisteredService, "connection" | "connectionOptional" | "publicCredentials"> & {
      actions: ReadonlyMap<string, RegisteredAction>;
    }
  >();
  const known = new Map(Object.entries(builtInServices(parts)));
  for (const service of given) checkService(service);
  const all: readonly RegisteredService[] = [
    ...[...known.values()].filter((service) => typeof service !== "string"),
    ...given,
  ];
  for (const service of all) {
    const { name, actions, connection, connectionOptional, publicCredentials } = service;
    if (services.has(name) || typeof known.get(name) === "string") {
      const what = known.has(name) ? "There is already a built-in service" : "There are two services";
      throw new TypeError(`${what} named ${JSON.stringify(name)}.`);
    }
    services.set(name, {
      actions: new Map(Object.entries(actions)),
      ...omitUndefined({ connection, connectionOptional, publicCredentials }),
    });
  }

  function unknownServiceMessage(name: string): string {
    const missing = known.get(name);
    return typeof missing === "string" ? missing : unknownNameMessage("service", name, services.keys());
  }

  return {
    describe: () => describeServices(all),
    jsonSchemaOf,

    find(service, name) {
      const found = services.get(service);
      if (found === undefined) return { isKnown: false, unknown: "service", message: unknownServiceMessage(service) };
      const action = found.actions.get(name);
      const takesConnection = found.connection !== undefined;
      const needsConnection = takesConnection && found.connectionOptional !== true;
      const { publicCredentials = [] } = found;
      if (action !== undefined) return { isKnown: true, action, needsConnection, takesConnection, publicCredentials };
      return {
        isKnown: false,
        unknown: "action",
        message: unknownNameMessage(`action of ${service}`, name, found.actions.keys()),
      };
    },

    connectionOf(service) {
      const found = services.get(service);
      if (found === undefined) return unknownServiceMessage(service);
      return found.connection ?? `The service ${JSON.stringify(service)} does not use a connection.`;
    },
  };
}

function unknownNameMessage(what: string, name: string, known: Iterable<string>): string {
  const names = [...known].map((one) => JSON.stringify(one)).join(", ");
  return `There is no ${what} named ${JSON.stringify(name.slice(0, 100))}. Available: ${names}.`;
}
