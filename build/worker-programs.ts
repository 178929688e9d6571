/** Builds the programs of worker threads: as files for `new Worker(new URL(…))`, and as text for bundles without them. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

/** Installed by the user, if at all. */
const OPTIONAL = ["mammoth", "unpdf"];
/** Modules to take instead of others. */
export const ALIASES = { debug: resolve("build/silent-debug.ts") };
// The other one contains an HTML parser of half a megabyte, for texts. It gets documents.
const ALIASES_OF_TEXTS = { ...ALIASES, turndown: "turndown/lib/turndown.browser.es.js" };
/** Paths of all files that the texts contain. */
export const filesOfTexts = new Set<string>();
/** A program that consists of text has no URL. Some libraries need one to load modules of Node.js. */
const URL_OF_TEXT = 'const textUrl = require("node:url").pathToFileURL(require("node:process").cwd() + "/").href;';

/**
 * - `worker-program.ts` and `node-dial.ts` become imports of package.json, which has others for Cloudflare Workers.
 * - `worker-text.ts` next to a worker becomes the text of that worker, with everything that it imports.
 * - URLs of source files become those of built files.
 * - webpack recognizes `Worker` only if the name of its module has no prefix.
 */
export const workerPrograms: Plugin = {
  name: "worker-programs",
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]worker-text\.ts$/ }, async ({ path }) => {
      const named = /`(stepwell-[a-z]+-worker\.ts)`/.exec(await readFile(path, "utf8"));
      if (named?.[1] === undefined) throw new Error(`${path} does not name a worker.`);
      return { contents: await textOf(join(path, "..", named[1])), loader: "text" };
    });
    onLoad({ filter: /[\\/]worker-program\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replace(/(new URL\("[^"]+)\.ts"/, '$1.js"'), loader: "ts" };
    });
    onResolve({ filter: /\/worker-program\.ts$/ }, ({ importer, kind }) => {
      if (kind === "entry-point") return undefined;
      const room = /[\\/](crypto|extract|sandbox)[\\/]/.exec(importer)?.[1];
      if (room === undefined)
        throw new Error(`${importer} imports a worker program without an import of package.json.`);
      return { path: `#${room}-program`, external: true };
    });
    onResolve({ filter: /\/node-dial\.ts$/ }, ({ kind }) =>
      kind === "entry-point" ? undefined : { path: "#dial", external: true },
    );
    onResolve({ filter: /^node:worker_threads$/ }, ({ importer }) =>
      importer.endsWith("worker-program.ts") ? { path: "worker_threads", external: true } : undefined,
    );
  },
};

async function textOf(entry: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    external: OPTIONAL,
    loader: { ".wasm": "binary" },
    define: { "import.meta.url": "textUrl" },
    banner: { js: URL_OF_TEXT },
    alias: ALIASES_OF_TEXTS,
    metafile: true,
    plugins: [embeddedQuickjs],
    write: false,
  });
  const [output] = outputFiles;
  for (const file of Object.keys(metafile.inputs)) filesOfTexts.add(file);
  if (output === undefined) throw new Error(`${entry} has no output.`);
  return output.text;
}

const embeddedQuickjs: Plugin = {
  name: "embedded-quickjs",
  setup({ onResolve }) {
    onResolve({ filter: /\/quickjs-variant\.ts$/ }, () => ({ path: resolve("build/embedded-quickjs.ts") }));
  },
};
