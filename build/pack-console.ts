/**
 * Builds the page of the console, and packs its files into modules: each file compressed once, as base64. Modules are what
 * every runtime and bundler loads without an API of its own.
 *
 * `node --import ./test/support/typescript/register.js build/pack-console.ts FOLDER` writes them to a folder.
 */
import { createHash } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { gzipAsync } from "@gfx/zopfli";
import mime from "mime";
import { build, type Plugin, type Rollup } from "vite";
import { pageChunks } from "./page-chunks.ts";

/** Builds run at the root: a bundled config has another place. */
const ROOT = process.cwd();
/** As in src/console/web-console.ts: stands for the mount path. */
const MOUNT_PLACE = "%STEPWELL_MOUNT%";

export interface Packed {
  /** Names of the packages that the page contains. */
  readonly packages: readonly string[];
}

interface PageFile {
  readonly path: string;
  readonly content: Buffer;
}

/** @param folder Folder of the modules. `files.js` lists them. */
export async function packConsole(folder: string): Promise<Packed> {
  const { output } = await buildPage();
  const files = output.map((file): PageFile => {
    const content = file.type === "chunk" ? file.code : file.source;
    return { path: file.fileName, content: Buffer.from(content) };
  });
  const page = files.find(({ path }) => path === "index.html");
  if (page === undefined) throw new Error("The page of the console has no index.html.");
  // Complete, or not there: another process may be reading.
  const fresh = `${folder}.${process.pid}`;
  await mkdir(fresh, { recursive: true });
  const entries = await Promise.all(
    files.filter((file) => file !== page).map((file, index) => packFile(file, index, fresh)),
  );
  const list = `export const page = ${JSON.stringify(mounted(page.content.toString("utf8")))};
export const files = {
${entries.join(",\n")}
};
`;
  await writeFile(join(fresh, "files.js"), list);
  await writeFile(join(fresh, "package.json"), '{ "type": "module", "sideEffects": false }\n');
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
  return { packages: packagesOf(output) };
}

async function buildPage(): Promise<Rollup.RollupOutput> {
  const { NODE_ENV } = process.env;
  // Libraries have checks for development, which tests would otherwise build in.
  process.env["NODE_ENV"] = "production";
  try {
    const built = await build({
      configFile: false,
      envDir: false,
      root: join(ROOT, "adapters/console/app"),
      base: "./",
      mode: "production",
      logLevel: "warn",
      plugins: [layerOrder, chunkLoader],
      resolve: {
        // Half of the size of React, with the same interface. Types and libraries go on naming React.
        alias: {
          "react/jsx-runtime": "preact/jsx-runtime",
          "react-dom/client": "preact/compat/client",
          "react-dom": "preact/compat",
          react: "preact/compat",
        },
      },
      cacheDir: join(ROOT, "node_modules/.cache/vite"),
      build: {
        write: false,
        target: "es2022",
        modulePreload: {
          polyfill: false,
          // The page fetches all files of a part before it imports one, also where that is the only one.
          resolveDependencies: (file, needed, { hostType }) =>
            hostType === "js" && needed.length === 0 ? [file] : needed,
        },
        // One small file, in place of one for each element.
        cssCodeSplit: false,
        // The first ones with `light-dark()`.
        cssTarget: ["chrome123", "firefox120", "safari17.5"],
        // A data address would need the policy to allow it.
        assetsInlineLimit: 0,
        reportCompressedSize: false,
        chunkSizeWarningLimit: 1_024,
        rollupOptions: {
          onLog: (level, log, handle) => {
            // Marks of libraries for servers that render React. This page has none.
            if (log.code !== "MODULE_LEVEL_DIRECTIVE") handle(level, log);
          },
          output: {
            entryFileNames: "assets/[name]-[hash].js",
            chunkFileNames: "assets/[name]-[hash].js",
            assetFileNames: "assets/[name]-[hash][extname]",
            codeSplitting: pageChunks(join(ROOT, "adapters/console/app")),
          },
        },
      },
    });
    if (Array.isArray(built) || !("output" in built)) throw new Error("Vite returned several builds.");
    return built;
  } finally {
    if (NODE_ENV === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = NODE_ENV;
  }
}

/** Files are put together in the order in which chunks need them. The first one that names a layer would decide its rank. */
const layerOrder: Plugin = {
  name: "layer-order",
  enforce: "pre",
  transform: (code, id) => (id.endsWith(".css") ? `@layer tokens, base, elements, screens;\n${code}` : null),
};

/** Vite puts a function of its own around each `import()`. The page has a better one for a connection that is lost. */
const chunkLoader: Plugin = {
  name: "chunk-loader",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js"
      ? `export { loadChunk as __vitePreload } from ${JSON.stringify(join(ROOT, "adapters/console/app/loading/load-chunk.ts"))};`
      : null,
};

/** Addresses in the page start with the mount path, so that they are right at every address in the page. */
function mounted(html: string): string {
  const found = html
    .replace(/\b(src|href)="\.\/(?=assets\/)/g, `$1="${MOUNT_PLACE}/console/`)
    .replace(/<html\b/, `<html data-mount="${MOUNT_PLACE}"`);
  if (/"\.\//.test(found) || !found.includes("data-mount=")) throw new Error("index.html has another form.");
  return found;
}

/** Returns the entry of a file in the list. */
async function packFile({ path, content }: PageFile, index: number, folder: string): Promise<string> {
  const name = `file-${index}.js`;
  // The same format as zlib's, 3.4 % smaller: a build takes the time, so that no reader of the page has to.
  const base64 = Buffer.from(await gzipAsync(content, { numiterations: 5 })).toString("base64");
  await writeFile(join(folder, name), `export default "${base64}";\n`);
  const type = mime.getType(path) ?? "application/octet-stream";
  const fields = {
    type: /^text\/|javascript|json/.test(type) ? `${type}; charset=utf-8` : type,
    digest: createHash("sha256").update(content).digest("hex"),
    size: content.length,
  };
  const shown = JSON.stringify(fields).slice(0, -1);
  return `  ${JSON.stringify(path)}: ${shown},"base64":() => import("./${name}").then((file) => file.default)}`;
}

function packagesOf(output: Rollup.RollupOutput["output"]): string[] {
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : file.originalFileNames));
  const names = modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
  return [...new Set(names)].sort();
}

const [, program, folder] = process.argv;
if (program?.endsWith("pack-console.ts") && folder !== undefined) await packConsole(resolve(folder));
