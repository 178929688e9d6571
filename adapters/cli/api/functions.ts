/** The functions that `stepwell api` calls, from the client's table of routes. */
import { ROUTES } from "../../../src/client/routes.ts";
import { rowOf } from "../../../src/client/table-row.ts";

export interface ApiFunction {
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Path parameters in order, without the app that `--app` names. */
  readonly params: readonly string[];
  /** Whether its first argument is an app. */
  readonly hasApp: boolean;
  /**
   * What it takes beside parameters, and returns. `json`: a query or a body, and JSON. `list`: a page of items. `events`:
   * events as they happen. `wait`: the resource when it has ended. `bytes`: bytes. `send`: bytes, and JSON.
   */
  readonly kind: "json" | "list" | "events" | "wait" | "bytes" | "send";
  /** Whether it needs the admin key of the host. */
  readonly isAdmin: boolean;
}

/** Functions of the client under other names than their routes. */
const RENAMED: Readonly<Record<string, readonly [group: string, name: string]>> = {
  "uploads.create": ["files", "createUpload"],
  "files.download": ["files", "content"],
};

const KINDS: Readonly<Record<string, ApiFunction["kind"]>> = {
  "apps.stream": "events",
  "runs.events": "events",
  "files.download": "bytes",
  "records.export": "bytes",
  "records.import": "send",
};

const WAITS = ["runs", "jobs"];
const ADMIN = /^(apps\.(?!export|stream|summary)|keys\.)/;

const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = ROUTES;

export function apiFunctions(): readonly ApiFunction[] {
  const found = Object.entries(GROUPS).flatMap(([group, rows]) =>
    Object.keys(rows).flatMap((name) => (name === "at" ? [] : [functionOf(group, name, rows)])),
  );
  const waits = WAITS.flatMap((group) =>
    found.flatMap((one): ApiFunction[] =>
      one.group === group && one.name === "get" ? [{ ...one, name: "wait", kind: "wait" }] : [],
    ),
  );
  return [...found, ...waits];
}

function functionOf(group: string, name: string, rows: Readonly<Record<string, string>>): ApiFunction {
  const route = `${group}.${name}`;
  const { method, path, kind } = rowOf(rows, name);
  const [shownGroup, shownName] = RENAMED[route] ?? [group, name];
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => param);
  // In functions of apps, the app is what they are about.
  const hasApp = params[0] === "app_id" && group !== "apps";
  return {
    group: shownGroup,
    name: shownName,
    method,
    path,
    params: hasApp ? params.slice(1) : params,
    hasApp,
    kind: KINDS[route] ?? (kind === "list" || kind === "tokens" ? "list" : "json"),
    isAdmin: ADMIN.test(route),
  };
}
