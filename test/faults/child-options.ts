/** How programs of tests are bundled. */
import type { BuildOptions } from "esbuild";

export const CHILD_OPTIONS = {
  bundle: true,
  format: "esm",
  outExtension: { ".js": ".mjs" },
  // Few children use these, so that they are neither bundled nor read at each start.
  external: ["better-sqlite3", "bullmq", "ioredis", "mammoth", "pg", "playwright-core", "unpdf"],
  splitting: true,
  // Bundled CommonJS loads Node's modules with `require`, which ES modules do not have.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  platform: "node",
  target: "es2022",
  logLevel: "error",
} satisfies BuildOptions;
