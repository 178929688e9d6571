/**
 * Bundles a server with the settings that a bundler has by itself and those of examples/deployment/README.md, in a process of its own:
 * `node bundle.js <bundler> <project> <output>`.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { build as esbuild } from "esbuild";

const [, , bundler, project, output] = process.argv;
const entry = join(project, "server.js");

/** As examples/deployment/README.md says. */
const WEBPACK = { resolve: { fallback: { "pdfjs-dist/package.json": false } } };

const BUNDLERS = {
  async webpack() {
    const webpack = createRequire(import.meta.url)("webpack");
    // Without minification, which takes most of the time.
    const settings = { mode: "none", target: "node", context: project, entry, ...WEBPACK };
    const stats = await new Promise((resolve, reject) =>
      webpack({ ...settings, output: { path: output } }, (error, found) => (error ? reject(error) : resolve(found))),
    );
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
  },
  async vite() {
    const { build } = await import("vite");
    await build({ root: project, logLevel: "error", build: { outDir: output, emptyOutDir: true } });
  },
  esbuild: () => esbuild({ ...nodeBundle("esm"), entryPoints: [entry], outExtension: { ".js": ".mjs" } }),
  "esbuild with CommonJS": () =>
    esbuild({ ...nodeBundle("cjs"), entryPoints: [entry], outExtension: { ".js": ".cjs" } }),
};

function nodeBundle(format) {
  return { absWorkingDir: project, bundle: true, platform: "node", format, outdir: output, logLevel: "error" };
}

await BUNDLERS[bundler]();
