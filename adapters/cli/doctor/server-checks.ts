/** Checks of a server: whether it is reached, its mount path, and the key. */
import { isRecord } from "../../../src/json.ts";
import { bare, type ServerAddress } from "../server/find-server.ts";
import { type Check, failed, ok, reasonOf, warning } from "./check.ts";

const TIMEOUT_MS = 10_000;

export interface ServerFindings {
  readonly checks: readonly Check[];
  /** The `Date` of its response. */
  readonly time: number | null;
}

export async function checkServer({ url, key }: ServerAddress): Promise<ServerFindings> {
  const base = bare(url);
  let health: Response;
  try {
    health = await get(`${base}/health`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : reasonOf(error);
    const hint = "Start the server, or correct the address: --url or STEPWELL_URL.";
    return { checks: [failed("server", `${base} does not respond: ${cause}`, hint)], time: null };
  }
  const date = Date.parse(health.headers.get("date") ?? "");
  const time = Number.isNaN(date) ? null : date;
  if (!(await isHealth(health))) return { checks: [await mountPath(base)], time };
  const found = health.ok
    ? ok("server", `${base} responds`)
    : warning("server", `${base} responds, but is not ready.`, `See ${base}/health.`);
  return { checks: [found, ok("mount path", new URL(base).pathname), await checkKey(base, key)], time };
}

const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });

async function isHealth(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => null);
  return isRecord(body) && "status" in body && response.status !== 404;
}

/** Something else responds: Stepwell may be mounted at another path. */
async function mountPath(base: string): Promise<Check> {
  const { origin, pathname } = new URL(base);
  const parts = pathname.split("/").filter((part) => part !== "");
  const above = parts.map((_, index) => `/${parts.slice(0, index).join("/")}`).reverse();
  const candidates = [...above, `${pathname}/automation`];
  for (const path of candidates) {
    const other = `${origin}${bare(path)}`;
    if (other === base) continue;
    const found = await get(`${other}/health`).catch(() => null);
    if (found !== null && (await isHealth(found))) {
      return failed(
        "mount path",
        `Stepwell is not at ${base} but at ${other}.`,
        `Pass --url ${other}, and set baseUrl to it.`,
      );
    }
  }
  const hint = "Pass the URL with the path at which Stepwell is mounted, such as https://example.com/automation.";
  return failed("mount path", `Something responds at ${base}, but it is not Stepwell.`, hint);
}

async function checkKey(base: string, key: string | undefined): Promise<Check> {
  if (key === undefined) return warning("key", "There is no key.", "Pass --key or STEPWELL_KEY.");
  const response = await get(`${base}/me`, { authorization: `Bearer ${key}` }).catch(() => null);
  const body: unknown = await response?.json().catch(() => null);
  const app = isRecord(body) && isRecord(body["app"]) ? body["app"]["name"] : undefined;
  if (response?.ok === true) return ok("key", `of the app ${String(app)}`);
  return failed(
    "key",
    `The server does not accept the key (status ${response?.status ?? "none"}).`,
    "`stepwell key create` makes one.",
  );
}
