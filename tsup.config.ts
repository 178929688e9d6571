import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { addBytecodeScript } from "./build/bytecode.ts";
import { CONSOLE_FOLDER, consoleFiles } from "./build/console-files.ts";
import { packConsole } from "./build/pack-console.ts";
import { ALIASES, filesOfTexts, workerPrograms } from "./build/worker-programs.ts";

/**
 * Libraries that every process loads, and small ones without a dependency on what senders choose. Read from one file in
 * place of a hundred, and without what is not used of them, they take a third off the time from import to the first run
 * (bench/import.js). Those that read what others send are dependencies too, of exactly the version that is built in, so
 * that audits see them.
 */
const BUILT_IN = [
  "@borewit/text-codec",
  "@clack/core",
  "@clack/prompts",
  "@marcbachmann/cel-js",
  "@tokenizer/inflate",
  "@tokenizer/token",
  "@valibot/to-json-schema",
  "citty",
  "dom-serializer",
  "domelementtype",
  "domhandler",
  "domutils",
  "entities",
  "fast-string-truncated-width",
  "fast-string-width",
  "fast-wrap-ansi",
  "file-type",
  "form-data-encoder",
  "htmlparser2",
  "ieee754",
  "ipaddr.js",
  "lru-cache",
  "multipasta",
  "nanoid",
  "rou3",
  "sisteransi",
  "strtok3",
  "token-types",
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
  "http/fastify": "adapters/http/fastify.ts",
  "http/next": "adapters/http/next.ts",
  "extract/extractor": "adapters/extract/extractor.ts",
  "extract/stepwell-extract-worker": "adapters/extract/worker/stepwell-extract-worker.ts",
  "sandbox/inline": "adapters/sandbox/inline.ts",
  "sandbox/quickjs": "adapters/sandbox/quickjs.ts",
  "sandbox/stepwell-sandbox-worker": "adapters/sandbox/worker/stepwell-sandbox-worker.ts",
  playwright: "adapters/browser/playwright.ts",
  "mcp/index": "adapters/mcp/index.ts",
  "console/web-console": "adapters/console/web-console.ts",
  "search/index": "adapters/search/index.ts",
  cluster: "adapters/cluster/cluster.ts",
  "storage/fs": "adapters/storage/fs/fs.ts",
  "storage/memory": "adapters/storage/memory.ts",
  "storage/postgres": "adapters/storage/postgres/postgres.ts",
  "storage/redis": "adapters/storage/redis.ts",
  "storage/redis-store": "adapters/storage/redis-store/redis-store.ts",
  "storage/s3": "adapters/storage/s3.ts",
  "storage/sqlite": "adapters/storage/sqlite/sqlite.ts",
};

/** Nobody imports these. A module of its own is what starts another one by its URL, and what is started so. */
const PROGRAMS = {
  "bytecode/load-script": "adapters/bytecode/load-script.ts",
  "net/node-dial": "adapters/net/node-dial.ts",
  "net/fetch-dial": "adapters/net/fetch-dial.ts",
  "crypto/worker-program": "adapters/crypto/worker/worker-program.ts",
  "crypto/no-worker-program": "adapters/crypto/worker/no-worker-program.ts",
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
  noExternal: BUILT_IN.map((name) => new RegExp(`^${name}(/|$)`)),
  esbuildOptions: (options) => {
    options.alias = ALIASES;
  },
  // Some bundlers and runtimes know the modules of Node.js only with the prefix.
  removeNodeProtocol: false,
  esbuildPlugins: [workerPrograms, consoleFiles],
  onSuccess: async () => {
    // For runtimes that compile WebAssembly when they are deployed. Their tools recognize the extension.
    await copyFile(
      "node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm",
      "dist/sandbox/quickjs.wasm",
    );
    const { packages } = await packConsole(CONSOLE_FOLDER);
    await escapeCharacters();
    await addBytecodeScript("dist");
    await writeLicences(packages);
  },
});

/**
 * esbuild leaves regular expressions as they are. One character beyond ASCII in any of them makes Node.js decode the whole
 * file, and keep two bytes for each character of it.
 */
async function escapeCharacters(): Promise<void> {
  for (const name of await readdir("dist", { recursive: true })) {
    if (!name.endsWith(".js")) continue;
    const file = `dist/${name}`;
    const text = await readFile(file, "utf8");
    const escaped = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    if (escaped !== text) await writeFile(file, escaped);
  }
}

/**
 * The licences of what is built in, in modules, in the texts of workers or in the console, ask to go along.
 * @param ofConsole Names of packages.
 */
async function writeLicences(ofConsole: readonly string[]): Promise<void> {
  const packages = [...filesOfTexts].flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const texts = await Promise.all(
    [...new Set([...BUILT_IN, ...packages, ...ofConsole])].sort().map(async (name) => {
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
