import { copyFile, readFile, writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { ALIASES, workerPrograms } from "./build/worker-programs.ts";

/**
 * Small libraries that are built in: read from one file instead of a hundred, and without what is not used of them,
 * they halve the time from import to the first run (bench/import.js).
 */
const BUILT_IN = [
  "@borewit/text-codec",
  "@clack/core",
  "@clack/prompts",
  "@jridgewell/gen-mapping",
  "@jridgewell/resolve-uri",
  "@jridgewell/sourcemap-codec",
  "@jridgewell/trace-mapping",
  "@marcbachmann/cel-js",
  "@mozilla/readability",
  "@tokenizer/inflate",
  "@tokenizer/token",
  "@valibot/to-json-schema",
  "@zip.js/zip.js",
  "boolbase",
  "citty",
  "croner",
  "css-select",
  "css-what",
  "cssom",
  "domelementtype",
  "dom-serializer",
  "domhandler",
  "domutils",
  "entities",
  "fast-string-truncated-width",
  "fast-string-width",
  "fast-wrap-ansi",
  "file-type",
  "form-data-encoder",
  "html-escaper",
  "htmlparser2",
  "http-link-header",
  "ieee754",
  "ipaddr.js",
  "lines-and-columns",
  "linkedom",
  "lru-cache",
  "marked",
  "multipasta",
  "nanoid",
  "nth-check",
  "oauth4webapi",
  "postal-mime",
  "re2js",
  "rou3",
  "sisteransi",
  "strtok3",
  "sucrase",
  "token-types",
  "ts-interface-checker",
  "turndown",
  "uhyphen",
  "uint8array-extras",
  "unstorage",
  "valibot",
];

const ENTRIES = {
  index: "src/index.ts",
  client: "src/client/index.ts",
  testing: "src/testing/index.ts",
  "telemetry/opentelemetry": "adapters/telemetry/opentelemetry.ts",
  "http/node": "adapters/http/node.ts",
  "extract/extractor": "adapters/extract/extractor.ts",
  "extract/stepwell-extract-worker": "adapters/extract/worker/stepwell-extract-worker.ts",
  "sandbox/inline": "adapters/sandbox/inline.ts",
  "sandbox/quickjs": "adapters/sandbox/quickjs.ts",
  "sandbox/stepwell-sandbox-worker": "adapters/sandbox/worker/stepwell-sandbox-worker.ts",
  playwright: "adapters/browser/playwright.ts",
  "mcp/index": "adapters/mcp/index.ts",
  "search/index": "adapters/search/index.ts",
  "storage/fs": "adapters/storage/fs.ts",
  "storage/memory": "adapters/storage/memory.ts",
  "storage/redis": "adapters/storage/redis.ts",
  "storage/s3": "adapters/storage/s3.ts",
};

/** Nobody imports these. A module of its own is what starts another one by its URL, and what is started so. */
const PROGRAMS = {
  "net/node-dial": "adapters/net/node-dial.ts",
  "net/fetch-dial": "adapters/net/fetch-dial.ts",
  "extract/worker-program": "adapters/extract/worker/worker-program.ts",
  "extract/no-worker-program": "adapters/extract/worker/no-worker-program.ts",
  "sandbox/worker-program": "adapters/sandbox/worker/worker-program.ts",
  "sandbox/no-worker-program": "adapters/sandbox/worker/no-worker-program.ts",
  "cli/stepwell": "adapters/cli/stepwell.ts",
  "cli/dev": "adapters/cli/commands/dev.ts",
  "cli/dev-server": "adapters/cli/dev/dev-server.ts",
  "cli/load-config": "adapters/cli/dev/load-config.ts",
  "cli/typescript-hooks": "adapters/cli/dev/typescript-hooks.ts",
};

/** Where tsc leaves the declarations of a source file, and build/plain-declarations.ts writes out their types. */
function declarationsOf(entries: Readonly<Record<string, string>>): Record<string, string> {
  const places = Object.entries(entries).map(([name, file]) => [name, `.declarations/${file.replace(/ts$/, "d.ts")}`]);
  return Object.fromEntries(places);
}

export default defineConfig({
  entry: { ...ENTRIES, ...PROGRAMS },
  format: "esm",
  target: "es2022",
  dts: { entry: declarationsOf(ENTRIES) },
  splitting: true,
  clean: true,
  sourcemap: true,
  noExternal: BUILT_IN.map((name) => new RegExp(`^${name}(/|$)`)),
  esbuildOptions: (options) => {
    options.alias = ALIASES;
  },
  // Some bundlers and runtimes know the modules of Node.js only with the prefix.
  removeNodeProtocol: false,
  esbuildPlugins: [workerPrograms],
  onSuccess: async () => {
    // For runtimes that compile WebAssembly when they are deployed. Their tools recognize the extension.
    await copyFile(
      "node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm",
      "dist/sandbox/quickjs.wasm",
    );
    await writeLicences();
  },
});

/** The licences of what is built in ask to go along. */
async function writeLicences(): Promise<void> {
  const texts = await Promise.all(
    BUILT_IN.map(async (name) => {
      const licence = await Promise.any(
        ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"].map((file) =>
          readFile(`node_modules/${name}/${file}`, "utf8"),
        ),
      ).catch(() => named(name));
      return `${name}\n\n${licence.trim()}\n`;
    }),
  );
  await writeFile("dist/LICENCES.txt", texts.join(`\n${"-".repeat(80)}\n\n`));
}

/** Of one that brings no text of it. */
async function named(name: string): Promise<string> {
  const { license, author } = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8"));
  if (typeof license !== "string") throw new Error(`${name} has no licence`);
  return `${license}, ${typeof author === "string" ? author : (author?.name ?? name)}`;
}
