/** A PostgreSQL server that cannot be reached. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { startChild } from "../../faults/child.ts";
import { freePort } from "../../support/free-port.ts";

it("is reported to a process that does nothing but wait for it", async () => {
  const url = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
  const child = await startChild(join(import.meta.dirname, "waiting.ts"), [url]);
  expect((await child.gone).code).toBe(0);
  expect(child.lines).toEqual([expect.stringMatching(/^PostgreSQL /)]);
});

it("that never responds does not keep a process alive that has closed the store", async () => {
  const child = await startChild(join(import.meta.dirname, "closing.ts"), []);
  expect(await child.gone).toEqual({ code: 0, errors: "" });
  expect(child.lines).toEqual(["closed"]);
});
