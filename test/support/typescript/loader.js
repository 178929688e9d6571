/** Strips types from the modules that Node loads. */
import { readFile } from "node:fs/promises";
import { bundleOf } from "./bundle.js";

/** Entries of worker threads, which are bundled: tests start hundreds of them, and loading a hundred files is slow. */
const THREAD = /\/worker\.ts$/;

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  return { format: "module", source: await sourceOf(new URL(url)), shortCircuit: true };
}

async function sourceOf(url) {
  if (THREAD.test(url.pathname)) return bundleOf(url);
  const { transform } = await import("esbuild");
  const { code } = await transform(await readFile(url, "utf8"), { loader: "ts", sourcemap: "inline" });
  return code;
}
