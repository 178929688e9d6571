/** The README, CONTRIBUTING.md and the guides in examples/, and the code blocks in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../runtimes/build.ts";

export interface Block {
  /** Path of the document, from the root of the repository. */
  readonly document: string;
  readonly language: string;
  readonly code: string;
  /** The line at which the code begins, from 1. */
  readonly line: number;
}

/** Paths from the root of the repository. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `examples/${path}`)
    .sort(),
];

export const read = (path: string) => readFileSync(join(root, path), "utf8");

export const BLOCKS: readonly Block[] = DOCUMENTS.flatMap((document) => {
  const text = read(document);
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language = "", 2: code = "", index }) => {
    const line = text.slice(0, index).split("\n").length + 1;
    return { document, language, code, line };
  });
});
