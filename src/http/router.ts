/** Finds the row of a request: which path, which parameters, which methods it would take. */
import { addRoute, createRouter as createTree, findRoute } from "rou3";
import { StepwellError } from "../errors.ts";
import { checkedParam } from "../params.ts";
import type { AnyRoute, Method } from "./route.ts";

export interface Match {
  readonly route: AnyRoute;
  /** Decoded once; `me` is still in the place of the app. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Router {
  /** @throws StepwellError `not_found`, `method_not_allowed` with Allow, `malformed` for an encoding that is none. */
  match(method: string, path: string): Match;
  /** Methods of an address for Allow; empty when there is no such address. */
  allowed(path: string): readonly string[];
  /** What the rows of an address tell of it beyond their methods. */
  discovery(path: string): Readonly<Record<string, string>>;
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const MAX_PATH = 8_192;

export function createRouter(routes: readonly AnyRoute[]): Router {
  const tree = createTree<AnyRoute>();
  for (const route of routes) addRoute(tree, route.method, pattern(route.path), route);

  const find = (method: string, path: string) => (wellFormed(path) ? findRoute(tree, method, path) : undefined);

  function allowed(path: string): readonly string[] {
    const methods: string[] = METHODS.filter((method) => find(method, path) !== undefined);
    if (methods.length === 0) return [];
    return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
  }

  function discovery(path: string): Readonly<Record<string, string>> {
    const rows = METHODS.map((method) => find(method, path)?.data);
    return Object.assign({}, ...rows.map((row) => (row !== undefined && "discovery" in row ? row.discovery : {})));
  }

  return {
    allowed,
    discovery,
    match(method, path) {
      if (path.length > MAX_PATH) {
        throw new StepwellError("malformed", `The path is longer than ${MAX_PATH} characters.`);
      }
      const found = find(method === "HEAD" ? "GET" : method, path);
      if (found !== undefined) return { route: found.data, params: decoded(found.params ?? {}) };
      const methods = allowed(path);
      if (methods.length === 0) throw new StepwellError("not_found", "There is no such address; see the reference.");
      throw new StepwellError("method_not_allowed", `This address takes ${methods.join(", ")}.`, {
        headers: { allow: methods.join(", ") },
      });
    },
  };
}

/** `{name*}` at the end stands for all that is left of a path. */
function pattern(path: string): string {
  return path.replace(/\{(\w+)\*\}$/, "**:$1").replace(/\{(\w+)\}/g, ":$1");
}

/** An empty segment, also a trailing one, is another address than the one without it. */
function wellFormed(path: string): boolean {
  return path.startsWith("/") && !path.endsWith("/") && !path.includes("//");
}

function decoded(raw: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of Object.keys(raw)) {
    params[name] = checkedParam(name, decode(raw[name] ?? "", name));
  }
  return params;
}

function decode(segment: string, name: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    const message = "Must be percent-encoded UTF-8.";
    const errors = [{ pointer: `/${name}`, message, in: "path" as const }];
    throw new StepwellError("malformed", `path /${name}: ${message}`, { errors, cause });
  }
}
