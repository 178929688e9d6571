/** Finds the route of a request: its path, parameters and allowed methods. */
import { addRoute, createRouter as createTree, findRoute } from "rou3";
import { checkedParam } from "../calls/path-params.ts";
import { StepwellError } from "../errors.ts";
import type { AnyRoute, Method } from "./route.ts";

export interface Match<Slices> {
  readonly route: AnyRoute<Slices>;
  /** Decoded once. `me` has not been replaced yet. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Router<Slices> {
  /** @throws StepwellError `not_found`; `method_not_allowed` with Allow; `malformed` for an invalid encoding */
  match(method: string, path: string): Match<Slices>;
  /** The routes of a path, for OPTIONS. @throws StepwellError `malformed` */
  matches(path: string): readonly Match<Slices>[];
}

/** Methods for the header Allow. */
export function allowOf(methods: readonly Method[]): readonly string[] {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}

export function noAddress(): StepwellError {
  return new StepwellError("not_found", "No route has this path. HTTP.md lists all routes.");
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** Room for a webhook path of 1,024 characters, each of which may take nine when it is percent-encoded. */
const MAX_PATH_CHARS = 10_240;
/** Clients repeat their calls: they poll a run, and read a list again. */
const REMEMBERED = 1_000;
const MAX_REMEMBERED_CHARS = 256;

export function createRouter<Slices>(routes: readonly AnyRoute<Slices>[]): Router<Slices> {
  const tree = createTree<AnyRoute<Slices>>();
  for (const route of routes) addRoute(tree, route.method, pattern(route.path), route);

  function find(method: string, path: string) {
    const isOpen = path.endsWith("/");
    if (!isWellFormed(isOpen ? path.slice(0, -1) : path)) return undefined;
    const found = findRoute(tree, method, path);
    return isOpen && !takesTrailingSlash(found?.data) ? undefined : found;
  }

  const recent = new Map<string, Match<Slices>>();

  function search(method: string, path: string): Match<Slices> {
    if (path.length > MAX_PATH_CHARS) {
      throw new StepwellError("malformed", `The path must have at most ${MAX_PATH_CHARS} characters.`);
    }
    const found = find(method === "HEAD" ? "GET" : method, path);
    if (found !== undefined) return matchOf(found.data, found.params);
    const methods = METHODS.filter((other) => find(other, path) !== undefined);
    if (methods.length === 0) throw noAddress();
    const allow = allowOf(methods).join(", ");
    throw new StepwellError("method_not_allowed", `This path accepts ${allow}.`, { headers: { allow } });
  }

  return {
    matches: (path) =>
      METHODS.flatMap((method) => {
        const found = find(method, path);
        return found === undefined ? [] : [matchOf(found.data, found.params)];
      }),
    match(method, path) {
      const address = `${method} ${path}`;
      const known = recent.get(address);
      if (known !== undefined) return known;
      const found = search(method, path);
      if (recent.size === REMEMBERED) recent.clear();
      if (address.length <= MAX_REMEMBERED_CHARS) recent.set(address, found);
      return found;
    },
  };
}

/** `{name*}` at the end matches the rest of a path. */
function pattern(path: string): string {
  return path.replace(/\{(\w+)\*\}$/, "**:$1").replace(/\{(\w+)\}/g, ":$1");
}

function takesTrailingSlash(route: AnyRoute | undefined): boolean {
  return route?.kind === "raw" && route.takesTrailingSlash === true;
}

/** A path with an empty segment is a different path. */
function isWellFormed(path: string): boolean {
  return path.startsWith("/") && !path.endsWith("/") && !path.includes("//");
}

function matchOf<Slices>(route: AnyRoute<Slices>, raw: Readonly<Record<string, string>> = {}): Match<Slices> {
  const isLenient = route.kind === "raw" && route.takesAnyEncoding === true;
  const params: Record<string, string> = {};
  for (const name of Object.keys(raw)) {
    params[name] = checkedParam(name, decode(raw[name] ?? "", name, isLenient));
  }
  return { route, params };
}

function decode(segment: string, name: string, isLenient: boolean): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    if (isLenient) return segment;
    const message = "Must be percent-encoded UTF-8.";
    const errors = [{ pointer: `/${name}`, message, in: "path" as const }];
    throw new StepwellError("malformed", `path /${name}: ${message}`, { errors, cause });
  }
}
