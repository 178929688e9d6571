/** A process that uses a SQLite store and does not close it still ends. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { startChild } from "../../faults/child.ts";
import { createStoreFile } from "./open.ts";

it("ends when its work is done", async () => {
  const { file, clean } = createStoreFile();
  const child = await startChild(join(import.meta.dirname, "unclosed.ts"), [file]);
  expect((await child.gone).code).toBe(0);
  expect(child.lines).toEqual(["stored"]);
  await clean();
});
