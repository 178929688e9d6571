/** The search of the reference: operations are found by what people call them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { OpenApiDocument, Operation } from "../../adapters/console/app/reference/document.ts";
import { findOperations } from "../../adapters/console/app/reference/find-operations.ts";

const document: OpenApiDocument = JSON.parse(readFileSync("openapi.json", "utf8"));
const operations = Object.entries(document.paths ?? {}).flatMap(([path, { parameters: _, ...methods }]): Operation[] =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
);
const find = (search: string) => findOperations(operations, search).map(({ operationId }) => operationId);

it.each([
  ["start run", "runs.create"],
  ["execute workflow", "runs.create"],
  ["remove file", "files.remove"],
  ["delete file", "files.remove"],
  ["read record", "records.get"],
  ["all schedules", "schedules.list"],
  ["  RUNS.create ", "runs.create"],
  ["post /apps", "apps.create"],
])("finds for %j %s", (search, operation) => {
  expect(find(search)).toContain(operation);
});

it.each([
  ["start run", "runs.create"],
  ["run workflow", "runs.create"],
  ["execute workflow", "runs.create"],
  ["delete app", "apps.remove"],
  ["remove file", "files.remove"],
  ["read record", "records.get"],
  ["cancel run", "runs.cancel"],
  ["all schedules", "schedules.list"],
  ["new key", "keys.create"],
  ["post /apps", "apps.create"],
])("lists for %j %s first", (search, operation) => {
  expect(find(search)[0]).toBe(operation);
});

it("lists what mentions the words only in its description last, in the order of the reference", () => {
  const found = findOperations(operations, "workflow");
  const isNamed = found.map(({ operationId, summary = "" }) => /\bworkflow/i.test(`${operationId} ${summary}`));
  expect(isNamed.indexOf(false)).toBeGreaterThan(0);
  expect(isNamed.slice(isNamed.indexOf(false))).not.toContain(true);
  const mentioning = found.slice(isNamed.indexOf(false)).map((one) => operations.indexOf(one));
  expect(mentioning).toEqual(mentioning.toSorted((one, other) => one - other));
});

it("lists everything for an empty search, and nothing for a word that nothing has", () => {
  expect(find("")).toHaveLength(operations.length);
  expect(find("quux")).toEqual([]);
});
