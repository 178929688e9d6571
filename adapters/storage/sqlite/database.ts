/** SQLite as the runtime has it: built into Node.js 22.13 and later, Deno and Bun; else the package better-sqlite3. */
import process from "node:process";
import { StepwellError } from "../../../src/errors.ts";
import { packageProblem } from "../../package-problem.ts";

export type SqlValue = string | number | null;
/** A row by column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** What the libraries have in common. */
export interface Statement {
  run(...values: SqlValue[]): unknown;
  /** The first row; undefined or null if there is none. */
  get(...values: SqlValue[]): SqlRow | undefined | null;
  all(...values: SqlValue[]): readonly SqlRow[];
}

/** An open database file. Its calls block, as SQLite itself does. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** Opens a file, which is created if it doesn't exist. */
export type OpenDatabase = (file: string) => Database;

/** Not a literal, because no other runtime and no bundler knows the module. */
const BUN_MODULE = "bun:sqlite";

/** @throws StepwellError `unavailable` if the runtime has no SQLite and the package cannot be loaded */
export async function loadSqlite(): Promise<OpenDatabase> {
  if ("bun" in process.versions) {
    const { Database } = await import(/* webpackIgnore: true */ /* @vite-ignore */ BUN_MODULE);
    return (file) => new Database(file);
  }
  const builtIn: unknown = process.getBuiltinModule?.("node:sqlite");
  if (isBuiltIn(builtIn)) return (file) => new builtIn.DatabaseSync(file);
  return loadPackage();
}

type DatabaseClass = new (file: string) => Database;

function isBuiltIn(module: unknown): module is { readonly DatabaseSync: DatabaseClass } {
  return typeof module === "object" && module !== null && "DatabaseSync" in module;
}

const isClass = (value: unknown): value is DatabaseClass => typeof value === "function";

async function loadPackage(): Promise<OpenDatabase> {
  try {
    const module: { readonly default: unknown } = await import("better-sqlite3");
    const Package = module.default;
    if (!isClass(Package)) throw new Error("It exports no class.");
    return (file) => new Package(file);
  } catch (cause) {
    const problem = packageProblem("The SQLite store on Node.js before 22.13", "better-sqlite3", cause);
    throw new StepwellError("unavailable", `${problem}. Node.js 22.13 and later need no package.`, { cause });
  }
}
