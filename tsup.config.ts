import { readdir, readFile, writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";

/**
 * Libraries that every process loads, and small ones without a dependency on what senders choose. Read from one file in
 * place of a hundred, and without what is not used of them, they take a third off the time from import to the first run
 * (bench/import.js). Those that read what others send are dependencies too, of exactly the version that is built in, so
 * that audits see them.
 */
const BUILT_IN = [
  "@clack/core",
  "@clack/prompts",
  "@marcbachmann/cel-js",
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
  "form-data-encoder",
  "htmlparser2",
  "ipaddr.js",
  "lru-cache",
  "multipasta",
  "nanoid",
  "rou3",
  "sisteransi",
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
  noExternal: BUILT_IN.map((name) => new RegExp(`^${name}(/|$)`)),
  onSuccess: async () => {
    await escapeCharacters();
    await writeLicences();
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
