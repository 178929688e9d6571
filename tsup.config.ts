import { readFile, writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";

/**
 * Small libraries that are built in: read from one file instead of a hundred, and without what is not used of them,
 * they halve the time from import to the first run (bench/import.js).
 */
const BUILT_IN = [
  "@clack/core",
  "@clack/prompts",
  "@jridgewell/gen-mapping",
  "@jridgewell/resolve-uri",
  "@jridgewell/sourcemap-codec",
  "@jridgewell/trace-mapping",
  "@marcbachmann/cel-js",
  "@mozilla/readability",
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
  "form-data-encoder",
  "html-escaper",
  "htmlparser2",
  "http-link-header",
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
  "sucrase",
  "ts-interface-checker",
  "turndown",
  "uhyphen",
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
  "extract/worker": "adapters/extract/worker.ts",
  "sandbox/quickjs": "adapters/sandbox/quickjs.ts",
  "sandbox/worker": "adapters/sandbox/worker.ts",
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
  // The other one brings an HTML parser of half a megabyte, for texts; it is given documents.
  esbuildOptions: (options) => {
    options.alias = { turndown: "turndown/lib/turndown.browser.es.js" };
  },
  onSuccess: writeLicences,
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
