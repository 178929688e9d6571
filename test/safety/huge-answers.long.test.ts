/** A response that is longer than a string can be is rejected with 413. */
import * as v from "valibot";
import { expect, it } from "vitest";
import { one, route } from "../../src/http/route.ts";
import { createTable, problemOf } from "../support/http/http-table.ts";

it("returns 413 when the response is too long for a string", async () => {
  const output = "x".repeat(10 * 1024 * 1024);
  const run = route({
    method: "GET",
    path: "/public/run",
    access: "public",
    summary: "Read a run of large outputs.",
    answers: one(v.array(v.string())),
    run: async () => Array.from({ length: 60 }, () => output),
  });
  const table = await createTable({ routes: [run] });
  const problem = await problemOf(await table.call("/public/run"));
  expect(problem).toMatchObject({ status: 413, code: "too_large", detail: expect.stringContaining("The response") });
  expect(table.logged).toEqual([]);
});
