/** Runs one instance per process in Next.js, and mounts it as route handlers. Needs no types of Next.js. */
import { type Create, type NextInstance, sharedInstance } from "./shared-instance.ts";

export type { NextInstance } from "./shared-instance.ts";

/** Options of {@link nextStepwell}. */
export interface NextOptions {
  /**
   * Tells apart several instances of one app. Next.js compiles a module several times, so the name identifies the
   * instance, not the call.
   * @default "default"
   */
  readonly name?: string;
}

/** A handler of a catch-all route of the App Router. */
export type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

/** What Next.js passes to a handler. */
export interface RouteContext {
  /** The parameters of the route. The only list is the path below the mount path. */
  readonly params: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>;
}

/** The exports of a `route.ts`: one handler for each method that Stepwell uses. */
export interface RouteHandlers {
  /** Handles GET requests. */
  readonly GET: RouteHandler;
  /** Handles HEAD requests. */
  readonly HEAD: RouteHandler;
  /** Handles POST requests. */
  readonly POST: RouteHandler;
  /** Handles PUT requests. */
  readonly PUT: RouteHandler;
  /** Handles PATCH requests. */
  readonly PATCH: RouteHandler;
  /** Handles DELETE requests. */
  readonly DELETE: RouteHandler;
  /** Handles OPTIONS requests. */
  readonly OPTIONS: RouteHandler;
}

/** What {@link nextStepwell} returns. */
export interface NextStepwell<Instance> {
  /**
   * Returns the instance of this process. The first call creates it, so call it in `instrumentation.ts`: schedules and
   * unfinished runs then continue before the first request. Server components and actions use it for the functions of
   * the API.
   * @throws Error during `next build`, because only one process at a time can use the storage.
   * @throws What `create` throws. The next call tries again.
   */
  readonly getStepwell: () => Promise<Instance>;
  /** The exports of `app/<mount path>/[[...path]]/route.ts`. */
  readonly handlers: RouteHandlers;
}

/**
 * Creates one Stepwell instance per process, and route handlers that mount it.
 *
 * Next.js compiles instrumentation, routes, pages and server actions separately, so each has its own copy of a module.
 * All copies share the instance. With `next dev`, a changed copy replaces it: the old instance is closed first, then
 * `create` opens the storage again.
 *
 * On SIGTERM and SIGINT, the instance is closed. Next.js exits as soon as its connections are closed, possibly before
 * running steps have ended; those are repeated at the next start. To wait for them, start Next.js with
 * `NEXT_MANUAL_SIG_HANDLE=true`: the process then exits when the instance is closed.
 *
 * @param create Returns the instance. Called when the instance is first used, never during `next build`.
 * @example
 * ```ts
 * // stepwell.ts
 * export const { getStepwell, handlers } = nextStepwell(() =>
 *   createStepwell({ baseUrl: "http://localhost:3000/automation", storage: { entities: fsDriver({ base: ".stepwell" }) } }),
 * );
 *
 * // app/automation/[[...path]]/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = handlers;
 *
 * // instrumentation.ts
 * export async function register() {
 *   if (process.env.NEXT_RUNTIME === "nodejs") await (await import("./stepwell")).getStepwell();
 * }
 * ```
 */
export function nextStepwell<Instance extends NextInstance>(
  create: Create<Instance>,
  { name = "default" }: NextOptions = {},
): NextStepwell<Instance> {
  const shared = sharedInstance(name);
  const copy = shared.addCopy();
  const getStepwell = async (): Promise<Instance> => {
    refuseDuringBuild();
    return shared.get(copy, create);
  };
  const handle: RouteHandler = async (request, { params }) => {
    const instance = await getStepwell();
    return instance.fetch(belowMount(request, Object.values(await params).find(Array.isArray)?.length ?? 0));
  };
  return {
    getStepwell,
    handlers: { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle },
  };
}

/**
 * The request with the last segments of its path: Next.js removes a `basePath`, and adds a slash to the path with
 * `trailingSlash`. The parameters of the route are decoded, so only their number is used.
 *
 * It accepts no compressed response: Next.js removes `Content-Encoding`, and compresses responses itself.
 */
function belowMount(request: Request, segments: number): Request {
  const { pathname, search, origin } = new URL(request.url);
  const all = pathname.replace(/\/$/, "").split("/");
  const { method, body, signal } = request;
  const headers = new Headers(request.headers);
  headers.delete("accept-encoding");
  return new Request(`${origin}/${all.slice(all.length - segments).join("/")}${search}`, {
    ...{ method, headers, body, signal },
    ...{ duplex: "half" }, // the types of the DOM lack it
  });
}

function refuseDuringBuild(): void {
  if (process.env["NEXT_PHASE"] !== "phase-production-build") return;
  throw new Error(
    "getStepwell was called during `next build`, which prerenders pages. Only one process at a time can use the " +
      "storage. Render the page for each request: call `await connection()` of next/server before getStepwell.",
  );
}
