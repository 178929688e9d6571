/** Checks of this computer and this folder: versions, packages, config, secret, clock and port. */
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { systemErrorCode } from "../../../src/errors.ts";
import type { Options } from "../../../src/index.ts";
import type { Config } from "../dev/load-config.ts";
import { devFilePath, readDevFile } from "../server/dev-file.ts";
import { type Check, failed, ok, reasonOf, skipped, warning } from "./check.ts";

const MIN_NODE = [20, 19] as const;

export function checkRuntime(versions: Readonly<Record<string, string | undefined>>): Check {
  const other = (["bun", "deno"] as const).find((name) => versions[name] !== undefined);
  if (other !== undefined) return ok("runtime", `${other === "bun" ? "Bun" : "Deno"} ${versions[other]}`);
  const node = versions["node"] ?? "0";
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return ok("runtime", `Node.js ${node}`);
  return failed("runtime", `Node.js ${node} is too old.`, `Install Node.js ${MIN_NODE.join(".")} or later.`);
}

/** Packages that options need, by what needs them. */
const OPTIONAL: Readonly<Record<string, string>> = {
  ai: "model steps",
  "playwright-core": "browser steps",
  ioredis: "storage in Redis",
  aws4fetch: "storage in S3",
  unpdf: "texts of PDF files",
  mammoth: "texts of Word files",
  "@opentelemetry/api": "telemetry",
};

/** Which optional packages the project has. */
export function checkPackages(folder: string): Check {
  const { resolve } = createRequire(join(folder, "package.json"));
  const isInstalled = (name: string) => {
    try {
      resolve(name);
      return true;
    } catch (error) {
      // It is there, but only for `import`.
      return systemErrorCode(error) === "ERR_PACKAGE_PATH_NOT_EXPORTED";
    }
  };
  const names = Object.keys(OPTIONAL);
  const installed = names.filter(isInstalled);
  const missing = names.filter((name) => !installed.includes(name)).map((name) => `${name} (${OPTIONAL[name]})`);
  const text = `installed: ${installed.join(", ") || "none"}`;
  return ok("packages", missing.length === 0 ? text : `${text}; not installed: ${missing.join(", ")}`);
}

export async function checkConfig(folder: string): Promise<{ readonly check: Check; readonly config: Config | null }> {
  try {
    const { loadConfig } = await import("../dev/load-config.ts");
    const config = await loadConfig(folder);
    if (config.file === null) return { check: skipped("config", "there is no stepwell.config.{ts,mjs,js}"), config };
    const { createStepwell } = await import("../../../src/index.ts");
    // Without its storage, which a running server may use.
    await createStepwell({ ...withoutStorage(config.options), logger: SILENT }).close();
    return { check: ok("config", config.file), config };
  } catch (error) {
    return {
      check: failed("config", reasonOf(error), "Correct the file, then run `stepwell doctor` again."),
      config: null,
    };
  }
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

function withoutStorage({ storage: _, telemetry: _telemetry, ...options }: Options): Options {
  return options;
}

/** Owners only. */
const PRIVATE = 0o077;

export async function checkSecret(folder: string, config: Config | null): Promise<Check> {
  const dev = await readDevFile(folder);
  const path = devFilePath(folder);
  if (dev !== null) {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & PRIVATE) !== 0) {
      return failed("secret", `${path} can be read by other users.`, `Type: chmod 600 ${path}`);
    }
  }
  if (dev === null && (await stat(path).catch(() => null)) !== null) {
    const hint = "Restore it: stored credentials can't be read without its secret. `stepwell dev` keeps a copy of it.";
    return failed("secret", `${path} is damaged.`, hint);
  }
  if (config?.options.secret !== undefined) return ok("secret", "in the config");
  if (dev !== null) return ok("secret", "that of `stepwell dev`; set the option secret on your server");
  const hint = "Set the option secret to the output of `openssl rand -base64 32`, and keep it.";
  return warning("secret", "There is none, so connections and webhook signatures cannot be stored.", hint);
}

export async function checkPort(port: number, isOwnServer: boolean): Promise<Check> {
  if (isOwnServer) return ok("port", `${port} is used by \`stepwell dev\` of this folder`);
  const server = createServer();
  try {
    server.listen(port, "localhost");
    await once(server, "listening");
    return ok("port", `${port} is free`);
  } catch (error) {
    const reason = systemErrorCode(error) === "EADDRINUSE" ? "is in use" : `cannot be used: ${reasonOf(error)}`;
    return warning("port", `Port ${port} ${reason}.`, "Pass another one: stepwell dev --port 3001.");
  } finally {
    server.close();
  }
}

/** No computer that runs this release has an earlier time. */
const RELEASED = Date.UTC(2026, 0, 1);
const MAX_SKEW_MS = 60_000;

/** @param served The time of the server; null if none responded. */
export function checkClock(now: number, served: number | null): Check {
  const hint = "Set the clock, for example by NTP: schedules, links and signatures depend on it.";
  if (now < RELEASED) return failed("clock", `The clock says ${new Date(now).toISOString()}.`, hint);
  if (served === null) return ok("clock", new Date(now).toISOString());
  const seconds = Math.round(Math.abs(now - served) / 1_000);
  if (seconds * 1_000 <= MAX_SKEW_MS) return ok("clock", `within ${seconds} s of the server`);
  return failed("clock", `The clocks of this computer and the server differ by ${seconds} s.`, hint);
}
