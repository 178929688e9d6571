/** Runs the same tests on the service functions in process and on the HTTP API. */
import { describe } from "vitest";
import { routes } from "../../../src/api/route-table.ts";
import type { AnyRoute } from "../../../src/http/route.ts";
import { createStepwell, type Options, type Stepwell } from "../../../src/index.ts";
import { sharedSandbox } from "../engine/shared-sandbox.ts";
import { checkedHandler } from "./check-answer.ts";

export const ADMIN_KEY = "admin-key-of-the-tests";
export const BASE = "https://stepwell.test/automation";

interface Refused {
  readonly errors?: Refusal["errors"];
  readonly detail: string;
}

/** The error of a rejected call, in the same form for both transports. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly { pointer: string; message: string; in?: string }[];

  constructor({ status, code, errors = [], detail }: Pick<Refusal, "status" | "code"> & Refused) {
    super(`${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** Calls an operation by name with its path parameters, then its body or query. */
export type CallApi = (operation: string, ...given: readonly unknown[]) => Promise<any>;

export interface TestHost {
  readonly stepwell: Stepwell;
  readonly callApi: CallApi;
  /** Creates an app with a key; calls over HTTP use that key. */
  app(name?: string): Promise<{ id: string; key: string }>;
  readonly overHttp: boolean;
}

export function createTestHost(overHttp: boolean, options: Partial<Options> = {}): TestHost {
  const created = createStepwell({ baseUrl: BASE, adminKey: ADMIN_KEY, sandbox: sharedSandbox, ...options });
  // Every response of the tests is held against openapi.json.
  const stepwell = { ...created, fetch: checkedHandler(created.fetch, options.baseUrl ?? BASE) };
  const keys = new Map<string, string>();
  return {
    stepwell,
    overHttp,
    callApi: overHttp ? callOverHttp(stepwell, keys) : callInProcess(stepwell),
    async app(name = "Tests") {
      const app = await stepwell.apps.create({ name });
      const { key } = await stepwell.keys.create(app.id, { name: "tests" });
      keys.set(app.id, key);
      return { id: app.id, key };
    },
  };
}

/** Runs a suite twice: with the service functions in process, and over HTTP. */
export function describeEachTransport(
  title: string,
  suite: (open: (options?: Partial<Options>) => TestHost) => void,
): void {
  describe.each([
    ["in process", false],
    ["over HTTP", true],
  ])(`${title} %s`, (_, overHttp) => suite((options) => createTestHost(overHttp, options)));
}

function callInProcess(stepwell: Stepwell): CallApi {
  const slices = stepwell as unknown as Record<
    string,
    Record<string, (...given: readonly unknown[]) => Promise<unknown>>
  >;
  return async (operation, ...given) => {
    const [slice = "", name = ""] = operation.split(".");
    const call = slices[slice]?.[name];
    if (call === undefined) throw new Error(`no service function ${operation}`);
    try {
      return await call(...given);
    } catch (error) {
      const { status, code, errors, message } = error as Refusal;
      throw new Refusal({ status, code, errors, detail: message });
    }
  };
}

function callOverHttp(stepwell: Stepwell, keys: ReadonlyMap<string, string>): CallApi {
  return async (operation, ...given) => {
    const { url, init, page } = request(operation, given, keys);
    const response = await stepwell.fetch(new Request(url, init));
    const text = await response.text();
    const answer = text === "" ? undefined : JSON.parse(text);
    if (!response.ok) throw new Refusal({ ...answer, status: response.status });
    return page ? pageFrom(answer, response.headers) : answer;
  };
}

function request(operation: string, given: readonly unknown[], keys: ReadonlyMap<string, string>) {
  const [slice = "", name = ""] = operation.split(".");
  const rows: Readonly<Record<string, Readonly<Record<string, AnyRoute>>>> = routes;
  const row = rows[slice]?.[name];
  if (row === undefined || !("answers" in row)) throw new Error(`no route ${operation}`);
  const rest = [...given];
  const params: Record<string, string> = {};
  const path = row.path.replace(/\{(\w+)\}/g, (_, param: string) => {
    const value = String(rest.shift());
    params[param] = value;
    return encodeURIComponent(value);
  });
  const [input] = rest;
  const search = row.body === undefined && input !== undefined ? `?${query(input)}` : "";
  const token = row.access === "admin" ? ADMIN_KEY : keys.get(params["app_id"] ?? "");
  const init: RequestInit = {
    method: row.method,
    headers: {
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(row.body === undefined || input === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(row.body === undefined || input === undefined ? {} : { body: JSON.stringify(input) }),
  };
  return { url: `${BASE}${path}${search}`, init, page: row.answers.kind === "page" };
}

function query(input: unknown): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return search;
}

function pageFrom(items: unknown, headers: Headers) {
  const total = headers.get("x-total-count");
  const token = headers.get("x-next-page-token");
  return {
    items,
    more: /rel="?next"?/.test(headers.get("link") ?? ""),
    ...(total === null ? {} : { total: Number(total) }),
    ...(token === null ? {} : { next_page_token: token }),
  };
}

/** Status, code and pointers of the errors with which a call is refused, or "" if it is not. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: Refusal) => reason,
  );
  return error === undefined ? "" : [error.status, error.code, ...error.errors.map(({ pointer }) => pointer)].join(" ");
}
