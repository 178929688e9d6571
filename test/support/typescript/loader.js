/** Strips the types of what Node loads. */
import { readFile } from "node:fs/promises";
import { bundleOf } from "./bundle.js";

/** Entries of worker threads: tests start hundreds of them, and a hundred files each time take longer than their work. */
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
