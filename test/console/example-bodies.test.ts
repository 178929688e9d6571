/** The bodies of the examples in the reference are accepted by the server. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { bodyTypeOf, headersOf, JSON_TYPE } from "../../adapters/console/app/reference/call.ts";
import { type OpenApiDocument, type Operation, operationsOf } from "../../adapters/console/app/reference/document.ts";
import { exampleBody } from "../../adapters/console/app/reference/example-body.ts";
import { allRoutes } from "../../src/api/route-table.ts";
import { openEveryRoute } from "../support/http/every-route.ts";

const document: OpenApiDocument = JSON.parse(readFileSync("openapi.json", "utf8"));
const operations = operationsOf(document);

describe("the bodies of examples", () => {
  const send = openEveryRoute();

  /** A person replaces them, or they depend on the definition of what they are sent to. */
  const REPLACED = new Set([
    "schedules.create",
    "rules.create",
    "console.signIn",
    "hookRequests.post",
    "runs.provide",
    "forms.answer",
    "triggers.test",
  ]);
  /** What they are about is not there, or not in the state that they need. The schema alone has checked their bodies. */
  const REFUSED: ReadonlyMap<string, number> = new Map([
    ["workflows.rollback", 404],
    ["runs.testStep", 404],
    ["runs.retry", 409],
    ["schedules.update", 404],
    ["hookRequests.put", 404],
    ["hookRequests.patch", 404],
    ["hooks.putSignature", 404],
    ["webhooks.update", 404],
    ["webhooks.rotate", 404],
    ["connections.update", 404],
    ["rules.update", 404],
  ]);
  const withBody = operations.filter(
    (operation) => bodyTypeOf(operation) === JSON_TYPE && exampleBody(document, operation) !== "",
  );
  const schemaOf = ({ method, path }: Operation) => {
    const route = allRoutes.find((one) => one.method === method && one.path.replace("*}", "}") === path);
    return route?.kind === "shaped" ? route.body : route?.described.request.body?.[JSON_TYPE];
  };

  it("are what the schemas of the routes accept", () => {
    const refused = withBody.filter((operation) => {
      const schema = schemaOf(operation);
      return schema && !v.safeParse(schema, JSON.parse(exampleBody(document, operation) ?? "")).success;
    });
    expect(refused.map(({ operationId }) => operationId)).toEqual([]);
    expect(withBody.filter(schemaOf).length).toBeGreaterThan(40);
  });

  const complete = withBody.filter(({ operationId }) => !REPLACED.has(operationId));
  it.each(complete.map((operation) => [operation.operationId, operation] as const))(
    "are accepted by %s",
    async (_, operation) => {
      const body = exampleBody(document, operation) ?? "";
      const { problem, status } = await send(operation.method, operation.path, body, headersOf(operation));
      const isExpected = status < 400 || status === REFUSED.get(operation.operationId);
      expect(isExpected, `${status} ${JSON.stringify(problem)}`).toBe(true);
    },
  );
});
