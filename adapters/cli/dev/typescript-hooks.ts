/** Hooks for `module.register`: let Node.js before 22.18 load TypeScript files. */
import { readFile } from "node:fs/promises";
import { stripTypes } from "../../sandbox/strip-types.ts";

interface Loaded {
  readonly format: string;
  readonly source?: string;
  readonly shortCircuit?: boolean;
}

type Next = (url: string, context: object) => Promise<Loaded>;

/** Called by Node.js for each module. */
export async function load(url: string, context: object, next: Next): Promise<Loaded> {
  const { pathname, protocol } = new URL(url);
  if (protocol !== "file:" || !/\.[mc]?ts$/.test(pathname) || pathname.includes("/node_modules/")) {
    return next(url, context);
  }
  const text = await readFile(new URL(url), "utf8");
  const stripped = await stripTypes(text);
  if (stripped?.ok === false)
    throw new SyntaxError(`${pathname}:${stripped.problem.line}: ${stripped.problem.message}`);
  return { format: "module", source: stripped?.code ?? text, shortCircuit: true };
}
