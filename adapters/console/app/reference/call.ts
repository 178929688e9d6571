/** A call of an operation, as far as somebody has filled it in. Pure. */
import { urlComponent } from "../../../../src/encoding/url-component.ts";
import { omitUndefined } from "../../../../src/json.ts";
import type { Operation } from "./document.ts";
import { pairsOf } from "./object-parameter.ts";

/** What somebody has filled in. */
export interface Given {
  /** Values of parameters by name. Those of paths and queries have different names. */
  readonly values: Readonly<Record<string, string>>;
  /** Of the type that `bodyTypeOf` names: for a form, the path of the file. Null for an operation that takes none. */
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
  const query = queryOf(operation, given)
    .flatMap(([parameter, value]) => pairsOf(parameter, value))
    .map(([name, value]) => `${urlComponent(name)}=${urlComponent(value)}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** The parameters of the query that have a value. */
export const queryOf = ({ parameters = [] }: Operation, given: Given) =>
  parameters
    .filter(({ name, in: place }) => place === "query" && isGiven(given, name))
    .map((parameter) => [parameter, given.values[parameter.name] ?? ""] as const);

/** Whether people send a key with it. */
export const takesKey = ({ security = [] }: Operation): boolean => security.some((one) => Object.keys(one).length > 0);

/** Whether only the admin key may call it. */
export const isForAdmin = ({ security = [] }: Operation): boolean =>
  security.some((one) => one["adminKey"] !== undefined);

/** The environment variable of the key. */
export const keyVariable = (operation: Operation): string =>
  isForAdmin(operation) ? "STEPWELL_ADMIN_KEY" : "STEPWELL_KEY";

/** The app of the path: the key of an app knows its app. Empty if nothing does. @param appId App of the session. */
export const appOf = (operation: Operation, appId: string | null): string =>
  takesKey(operation) && !isForAdmin(operation) ? "me" : (appId ?? "");

/** Whether its response is a stream of events, which may not end. */
export const isStream = ({ responses = {} }: Operation): boolean =>
  responses["200"]?.content?.["text/event-stream"] !== undefined;

/** Headers that an operation needs besides the key and the type of its body. */
export function headersOf({ parameters = [], responses = {} }: Operation): Readonly<Record<string, string>> {
  const types = Object.keys(responses["200"]?.content ?? {});
  const constants = parameters.flatMap(({ name, in: place, schema }): (readonly [string, string])[] =>
    place === "header" && typeof schema?.const === "string" ? [[name, schema.const]] : [],
  );
  const isEither = types.includes(JSON_TYPE) && types.includes(EVENTS_TYPE);
  const accept = isEither ? `${JSON_TYPE}, ${EVENTS_TYPE}` : undefined;
  return omitUndefined({ Accept: accept, ...Object.fromEntries(constants) });
}

/** The media type of the body that examples send; undefined for an operation that takes none, or bytes. */
export function bodyTypeOf(operation: Operation): string | undefined {
  if (operation.fileField !== null) return FORM_TYPE;
  const types = Object.keys(operation.requestBody?.content ?? {});
  if (types.includes(JSON_TYPE) || types.includes("*/*")) return JSON_TYPE;
  return types.find((type) => type.startsWith("text/"));
}

/** The body as it is sent; null for none. */
export const sentBody = ({ body }: Given): string | null => (body === null || body.trim() === "" ? null : body);

export const JSON_TYPE = "application/json";
export const FORM_TYPE = "multipart/form-data";
const EVENTS_TYPE = "text/event-stream";
