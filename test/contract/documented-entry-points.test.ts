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

it.each(ENTRY_POINTS)("a guide shows an import of %s", (path) => {
  expect(imported).toContain(`stepwell${path.slice(1)}`);
});
