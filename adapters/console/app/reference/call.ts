/** A call of an operation, as far as somebody has filled it in. Pure. */
import { urlComponent } from "../../../../src/encoding/url-component.ts";
import type { Operation } from "./document.ts";

/** What somebody has filled in. */
export interface Given {
  /** Values of parameters by name. Those of paths and queries have different names. */
  readonly values: Readonly<Record<string, string>>;
  /** Of the type that `bodyTypeOf` names; null for an operation that takes none. */
  readonly body: string | null;
}

/** What people replace. */
export const PLACEHOLDER = "…";

/** Names of the parameters in the path, in order. */
export const pathNames = ({ path }: Operation): readonly string[] =>
  [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name = ""]) => name);

export const isGiven = ({ values }: Given, name: string): boolean => (values[name] ?? "") !== "";

/** The address below the mount. @param missing Stands for a parameter of the path without a value. */
export function addressOf(operation: Operation, given: Given, missing: (name: string) => string): string {
  const path = operation.path.replace(/\{(\w+)\*?\}/g, (_, name: string) =>
    isGiven(given, name) ? urlComponent(given.values[name] ?? "") : missing(name),
  );
  const query = queryOf(operation, given).map(([{ name }, value]) => `${urlComponent(name)}=${urlComponent(value)}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** The parameters of the query that have a value. */
export const queryOf = ({ parameters = [] }: Operation, given: Given) =>
  parameters
    .filter(({ name, in: place }) => place === "query" && isGiven(given, name))
    .map((parameter) => [parameter, given.values[parameter.name] ?? ""] as const);

/** Whether people send a key with it. */
export const takesKey = ({ security = [] }: Operation): boolean => security.some((one) => Object.keys(one).length > 0);

/** Whether its response is a stream of events, which may not end. */
export const isStream = ({ responses = {} }: Operation): boolean =>
  responses["200"]?.content?.["text/event-stream"] !== undefined;

/** The media type of the body that examples send; undefined for an operation that takes none, or bytes. */
export const bodyTypeOf = ({ requestBody }: Operation): string | undefined => {
  const types = Object.keys(requestBody?.content ?? {});
  return types.find((type) => type === JSON_TYPE) ?? types.find((type) => type.startsWith("text/"));
};

export const JSON_TYPE = "application/json";
