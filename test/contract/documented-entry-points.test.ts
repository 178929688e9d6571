/** Every entry point in package.json is imported in a code block of a guide, which the snippet tests compile. */
import { expect, it } from "vitest";
import { BLOCKS, read } from "../support/examples/guides.ts";

const { exports }: { exports: Record<string, unknown> } = JSON.parse(read("package.json"));
const ENTRY_POINTS = Object.keys(exports).filter((path) => path !== "./package.json");

const imported = new Set(
  BLOCKS.filter(({ document, language }) => document.startsWith("examples/") && ["js", "ts"].includes(language))
    .flatMap(({ code }) => [...code.matchAll(/\bfrom "(stepwell(?:\/[^"]*)?)"/g)])
    .map(([, name]) => name),
);

/** Those that bundlers or Cloudflare's tools take. */
const FOR_TOOLS = ["./extract/worker", "./sandbox/inline", "./sandbox/quickjs.wasm"];

it.each(ENTRY_POINTS.filter((path) => !FOR_TOOLS.includes(path)))("a guide shows an import of %s", (path) => {
  expect(imported).toContain(`stepwell${path.slice(1)}`);
});

it.each(FOR_TOOLS)("a guide shows a use of %s", (path) => {
  const uses = BLOCKS.filter(
    ({ document, code }) => document.startsWith("examples/") && code.includes(`stepwell${path.slice(1)}`),
  );
  expect(uses).not.toEqual([]);
});
