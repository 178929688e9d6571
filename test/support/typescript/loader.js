/** Strips types from the modules that Node loads. */
import { readFile } from "node:fs/promises";

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const { transform } = await import("esbuild");
  const { code } = await transform(await readFile(new URL(url), "utf8"), { loader: "ts", sourcemap: "inline" });
  return { format: "module", source: code, shortCircuit: true };
}
