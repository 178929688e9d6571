/** The search of the reference: operations are found by what people call them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type OpenApiDocument, operationsOf } from "../../adapters/console/app/reference/document.ts";
import { findOperations, indexOperations } from "../../adapters/console/app/reference/search/find-operations.ts";

const document: OpenApiDocument = JSON.parse(readFileSync("openapi.json", "utf8"));
const operations = operationsOf(document);
const index = indexOperations(document, operations);
const find = (search: string) => findOperations(index, search).map(({ operationId }) => operationId);

it.each([
  ["start run", "runs.create"],
  ["execute workflow", "runs.create"],
  ["remove file", "files.remove"],
  ["delete file", "files.remove"],
  ["read record", "records.get"],
  ["all schedules", "schedules.list"],
  ["  RUNS.create ", "runs.create"],
  ["post /apps", "apps.create"],
  ["idempotency", "runs.create"],
  ["Idempotency-Key", "runs.create"],
  ["rate limit", "runs.create"],
  ["pagination", "runs.list"],
  ["page_token", "runs.list"],
  ["too_many_requests", "runs.create"],
  ["429", "runs.create"],
  ["statuses of a run", "runs.list"],
  ["webhok", "webhooks.create"],
  ["webhok", "hooks.putSignature"],
  ["oauth", "connections.create"],
  ["dead letter", "webhooks.deliveries"],
  ["dead-letter", "triggers.deliveries"],
  ["retry", "runs.bulk"],
  ["webhook signature", "triggers.putSignature"],
  ["X-Total-Count", "runs.list"],
  ["rule_results", "records.get"],
  ["runs:write", "runs.create"],
  ["text/csv", "records.import"],
  ["for_each", "workflows.create"],
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
  const found = findOperations(index, "workflow");
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

it("lists everything for an empty search, and nothing for a word that nothing has", () => {
  expect(find("")).toHaveLength(operations.length);
  expect(find("quux")).toEqual([]);
});
