/** Loads `stepwell.config.{js,mjs,ts}`, whose default export is the options of `createStepwell`. */
import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Options } from "../../../src/index.ts";
import { isRecord } from "../../../src/json.ts";
import { refused } from "../terminal/failure.ts";
import { CONFIG_LIMIT_MS, findConfig } from "./config-files.ts";

/**
 * A program of its own in the package, because it names another one by its URL. Import it only dynamically: the build moves
 * what programs import otherwise to another folder.
 */
const HOOKS = import.meta.url.endsWith(".ts") ? "./typescript-hooks.ts" : "./typescript-hooks.js";

export interface Config {
  /** Name of the file; null for none. */
  readonly file: string | null;
  readonly options: Options;
}

/** @throws CommandError for a file that cannot be loaded, or not in time, or does not export options */
export async function loadConfig(folder: string, limitMs = CONFIG_LIMIT_MS): Promise<Config> {
  const file = await findConfig(folder);
  if (file === null) return { file, options: {} };
  if (file.endsWith(".ts")) enableTypeScript();
  const loading = import(pathToFileURL(join(folder, file)).href).catch((error) => {
    const reason = error instanceof Error ? error.message : String(error);
    // The hooks name the file and the line themselves.
    throw refused(reason.includes(`${file}:`) ? reason : `${placeIn(file, error)}: cannot be loaded: ${reason}`);
  });
  const module: unknown = await within(limitMs, loading, file);
  const options = isRecord(module) || typeof module === "object" ? Reflect.get(Object(module), "default") : undefined;
  if (isOptions(options)) return { file, options };
  throw refused(`${file}: has no default export with options.`, "Write: export default { services: [], models: {} };");
}

async function within<Value>(limitMs: number, loading: Promise<Value>, file: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const hint = "Look for an await of something that never happens.";
    timer = setTimeout(() => reject(refused(`${file}: did not finish loading within ${limitMs} ms.`, hint)), limitMs);
  });
  return Promise.race([loading, late]).finally(() => clearTimeout(timer));
}

/** `createStepwell` checks each option. */
function isOptions(value: unknown): value is Options {
  return isRecord(value);
}

/** Node.js before 22.18 cannot load TypeScript: hooks strip the types, with the means of code steps. */
function enableTypeScript(): void {
  const { versions } = process;
  const isNative = "bun" in versions || "deno" in versions || Boolean(Reflect.get(process.features, "typescript"));
  if (!isNative) register(HOOKS, import.meta.url);
}

/** The first line of the stack of an error that is in the file. */
function placeIn(file: string, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const [, after = ""] = stack.split(`${file}:`, 2);
  const line = /^\d+/.exec(after)?.[0];
  return line === undefined ? file : `${file}:${line}`;
}
