/** The search of the reference: operations are found by what people call them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type OpenApiDocument, operationsOf } from "../../adapters/console/app/reference/document.ts";
import { findOperations, indexOf } from "../../adapters/console/app/reference/search/find-operations.ts";
import { stemOf } from "../../adapters/console/app/reference/search/words.ts";

const document: OpenApiDocument = JSON.parse(readFileSync("openapi.json", "utf8"));
const operations = operationsOf(document);
const find = (search: string) => findOperations(indexOf(document), search).map(({ operationId }) => operationId);

it.each([
  ["rate limit", "runs.create", 5],
  ["statuses of a run", "runs.list", 5],
  ["webhok", "webhooks.create", 3],
  ["oauth", "connections.create", 3],
  ["dead-letter", "triggers.deliveries", 3],
  ["retry", "runs.bulk", 2],
  ["webhook signature", "triggers.putSignature", 6],
  ["for_each", "workflows.create", 3],
  // Many operations have the same headers, parameters and fields.
  ["webhok", "hooks.list", 10],
  ["idempotency", "runs.create", 10],
  ["Idempotency-Key", "runs.create", 10],
  ["pagination", "runs.list", 10],
  ["page_token", "runs.list", 10],
  ["X-Total-Count", "runs.list", 10],
  ["rule_results", "records.get", 10],
])("lists for %j %s among the first %d", (search, operation, count) => {
  expect(find(search).slice(0, count)).toContain(operation);
});

it.each(["apps", "collections", "files", "records", "runs", "schedules", "tags", "triggers", "webhooks", "workflows"])(
  "lists for %j first the operation that lists them",
  (group) => expect(find(group)[0]).toBe(`${group}.list`),
);

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
  ["runs.list", "runs.list"],
  ["list runs", "runs.list"],
  ["list failed runs", "runs.list"],
  ["rerun", "runs.retry"],
  ["approve", "runs.provide"],
  ["approve a run", "runs.provide"],
  ["wait for run", "runs.create"],
  ["retry", "runs.retry"],
  ["retries", "runs.retry"],
  ["webhook signature", "hooks.putSignature"],
  ["sign in", "console.signIn"],
  ["delete file", "files.remove"],
  ["  RUNS.create ", "runs.create"],
  ["too_many_requests", "runs.create"],
  ["429", "runs.create"],
  ["dead letter", "webhooks.deliveries"],
  ["runs:write", "runs.create"],
  ["text/csv", "records.import"],
])("lists for %j %s first", (search, operation) => {
  expect(find(search)[0]).toBe(operation);
});

it('lists no operation second for "cancel run" that cancels nothing', () => {
  expect(find("cancel run").slice(1, 3).sort()).toEqual(["jobs.cancel", "runs.bulk"]);
});

it("lists every operation first for its id", () => {
  expect(operations.filter(({ operationId }) => find(operationId)[0] !== operationId)).toEqual([]);
});

it("lists what mentions a word only in its description after what has it in its name or summary", () => {
  const found = findOperations(indexOf(document), "workflow");
  const isNamed = found.map(({ operationId, summary = "" }) => /workflow/i.test(`${operationId} ${summary}`));
  expect(isNamed.indexOf(false)).toBeGreaterThan(0);
  expect(isNamed.slice(isNamed.indexOf(false))).not.toContain(true);
});

it("skips words that no operation has", () => {
  expect(find("cancel quux run")).toEqual(find("cancel run"));
});

it("lists what has some of the words if nothing has all of them", () => {
  const found = find("diagram timezone");
  expect(found).toEqual(expect.arrayContaining(["workflows.diagram", "schedules.create"]));
});

it("finds a word with one typing error, if it has at least five letters and nothing matches it", () => {
  for (const mistyped of ["shedule", "scheddule", "scehdule", "schedulw"])
    expect(find(mistyped)[0]).toMatch(/^schedules\./);
  expect(find("rnu")).toEqual([]);
  expect(find("files")).toEqual(find("file"));
});

it.each([
  ["cache", "caches"],
  ["match", "matches"],
  ["cookie", "cookies"],
  ["query", "queries"],
  ["api", "apis"],
  ["status", "statuses"],
  ["analysis", "analysis"],
])("takes %s and %s for the same word", (one, several) => expect(stemOf(several)).toBe(stemOf(one)));

it("builds the index of a document once", () => expect(indexOf(document)).toBe(indexOf(document)));

it("lists everything for an empty search, and nothing for a word that nothing has", () => {
  expect(find("")).toHaveLength(operations.length);
  expect(find("quux")).toEqual([]);
});
