/** The trigger types by name: the built-in ones and those of the option `triggers`. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { FieldError } from "../../errors.ts";
import { pointer } from "../../json.ts";
import { plainPath } from "../../messages/field-errors.ts";
import { issueText } from "../../messages/issue-sentence.ts";
import { loanOrigination } from "./builtin/loan-origination.ts";
import { poll } from "./builtin/poll.ts";
import { webhook } from "./builtin/webhook.ts";
import { checkTriggerType } from "./define-trigger.ts";
import type { AnyTriggerType } from "./trigger-type.ts";
import { describeTriggerTypes, type JsonSchemaOf, type TriggerTypeInfo } from "./trigger-type-info.ts";

const BUILT_IN: readonly AnyTriggerType[] = [loanOrigination, poll, webhook];
export type BuiltInTriggerType = typeof loanOrigination | typeof poll | typeof webhook;

export interface TriggerTypes {
  /** The type, or a message if there is none with this name. */
  find(name: string): AnyTriggerType | string;
  /** The schema of the credentials of a type or of a service, or a message if it has none or does not exist. */
  connectionOf(name: string): StandardSchemaV1 | string;
  /** Describes all types for editors. */
  describe(): Promise<TriggerTypeInfo[]>;
}

/** The services, whose connections share one set of names with those of trigger types. */
interface Services {
  connectionOf(service: string): StandardSchemaV1 | string;
  readonly jsonSchemaOf: JsonSchemaOf;
}

/** @throws TypeError for an invalid type, two types with the same name, or a type and a service that both have connections */
export function createTriggerTypes(given: readonly AnyTriggerType[], services: Services): TriggerTypes {
  const types = new Map<string, AnyTriggerType>();
  for (const type of [...BUILT_IN, ...given]) {
    checkTriggerType(type);
    if (types.has(type.name)) {
      const what = BUILT_IN.some(({ name }) => name === type.name) ? "There is already a built-in" : "There are two";
      throw new TypeError(`${what} trigger type${what.endsWith("two") ? "s" : ""} named ${JSON.stringify(type.name)}.`);
    }
    if (type.connection !== undefined && typeof services.connectionOf(type.name) !== "string") {
      throw new TypeError(
        `The service and the trigger type named ${JSON.stringify(type.name)} both define connections.`,
      );
    }
    types.set(type.name, type);
  }
  const available = [...types.keys()].map((name) => JSON.stringify(name)).join(", ");

  return {
    find: (name) =>
      types.get(name) ??
      `There is no trigger type named ${JSON.stringify(name.slice(0, 100))}. Available: ${available}.`,
    connectionOf: (name) => types.get(name)?.connection ?? services.connectionOf(name),
    describe: () => describeTriggerTypes([...types.values()], services.jsonSchemaOf),
  };
}

export type CheckedSettings =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Validates the settings of a trigger with the schema of its type. @param path Their path in the body. */
export async function checkSettings(
  { config: schema }: AnyTriggerType,
  settings: object,
  path: readonly (string | number)[],
): Promise<CheckedSettings> {
  // A schema may modify its input.
  const result = await schema["~standard"].validate(structuredClone(settings));
  if (result.issues === undefined) return { ok: true, value: result.value };
  const errors = result.issues.map((issue) => ({
    pointer: pointer([...path, ...plainPath(issue.path)]),
    message: issueText(issue),
  }));
  return { ok: false, errors };
}
