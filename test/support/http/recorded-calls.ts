/** Sends requests that must succeed, and keeps them: the routes that they call, and the ids that they have or get. */
import { allRoutes } from "../../../src/api/route-table.ts";
import type { AnyRoute } from "../../../src/http/route.ts";
import type { Stepwell } from "../../../src/index.ts";
import { ADMIN_KEY, BASE } from "./transports.ts";

export type Params = Readonly<Record<string, string>>;

/** A request that succeeded. */
export interface RecordedCall {
  readonly method: string;
  readonly path: string;
  /** Undefined for a request without a body, a `Blob` for one that is not JSON. */
  readonly body: unknown;
  readonly answer: unknown;
  readonly route: AnyRoute;
}

/** What other calls need of an answer. */
export interface Created {
  /** Of a run. */
  readonly workflow_version_id?: string;
  readonly id: string;
  readonly triggers: readonly { readonly id: string }[];
  readonly deliveries: readonly { readonly id: string }[];
  readonly upload_url: string;
}

export type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Created>;

/** Sends a request and expects success. Each request has its own `Idempotency-Key`. */
export function createRecorder(stepwell: Stepwell, key: string) {
  const calls: RecordedCall[] = [];
  const send: Send = async (method, path, body, headers = {}) => {
    const isBytes = body instanceof Uint8Array;
    const token = isAdminPath(path) ? ADMIN_KEY : key;
    const request = new Request(`${BASE}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === "POST" ? { "idempotency-key": `${method} ${path} ${calls.length}` } : {}),
        ...(body === undefined || isBytes ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const response = await stepwell.fetch(request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
    const answer = JSON.parse(isJson ? text : "{}");
    const sent = isBytes ? new Blob([new Uint8Array(body)], { type: headers["content-type"] ?? "" }) : body;
    calls.push({ method, path, body: sent, answer, route: routeOf(method, path) });
    return answer;
  };
  return { send, calls };
}

const isAdminPath = (path: string) => /^\/apps(\/[^/]+(\/keys(\/[^/]+)?)?)?$/.test(path);

/** The values of the parameters of a route's path, or null for another path. */
export function paramsIn(template: string, path: string): Params | null {
  const names: string[] = [];
  const pattern = template.replace(/\{(\w+)(\*?)\}/g, (_, name: string, several: string) => {
    names.push(name);
    return several === "" ? "([^/]+)" : "(.+)";
  });
  const [, ...values] = new RegExp(`^${pattern}$`).exec(path) ?? [];
  return values.length < names.length || (names.length === 0 && template !== path)
    ? null
    : Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}

export const namesIn = (template: string) => [...template.matchAll(/\{(\w+)\*?\}/g)].map(([, name = ""]) => name);

/** The route of a call: of several that match, the one with the fewest parameters. */
function routeOf(method: string, path: string): AnyRoute {
  const [found] = allRoutes
    .filter((route) => route.method === method && paramsIn(route.path, path) !== null)
    .sort((one, other) => namesIn(one.path).length - namesIn(other.path).length);
  if (found === undefined) throw new Error(`no route ${method} ${path}`);
  return found;
}

/** A resource that a call addressed or created. */
export interface Resource {
  readonly path: string;
  readonly params: Params;
}

/** The resources of some calls. Equal calls of two apps have them at the same indexes. */
export function resourcesOf(calls: readonly RecordedCall[]): readonly Resource[] {
  return calls.flatMap((call): readonly Resource[] => {
    const { path: template } = call.route;
    const params = paramsIn(template, call.path) ?? {};
    return [{ path: call.path, params }, ...createdBy(call, template, params)];
  });
}

function createdBy({ method, path, answer }: RecordedCall, template: string, params: Params): readonly Resource[] {
  const { id, key } = Object(answer);
  const value: unknown = id ?? key;
  const own = method === "POST" && typeof value === "string" ? String(value) : null;
  const names = allRoutes.flatMap((route) => {
    const rest = route.path.startsWith(`${template}/`) ? route.path.slice(template.length + 1) : "";
    const [, name] = /^\{(\w+)\}$/.exec(rest) ?? [];
    return name === undefined ? [] : [name];
  });
  return own === null
    ? []
    : [...new Set(names)].map((name) => ({ path: `${path}/${own}`, params: { ...params, [name]: own } }));
}

/** Whether a path still leads somewhere after the calls: nothing above it was deleted, or a later call found it again. */
export function pathsAfter(calls: readonly RecordedCall[]): (path: string) => boolean {
  const last = new Map<string, RecordedCall>();
  for (const call of calls) for (const path of pathsAbove(call.path)) last.set(path, call);
  const isDeleted = (path: string) => last.get(path)?.method === "DELETE" && last.get(path)?.path === path;
  return (path) => !pathsAbove(path).some(isDeleted);
}

const pathsAbove = (path: string) => path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
