/** Signed webhooks behind body parsers: the signature covers the raw bytes, which a parser discards by default. */
import { once } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import express from "express";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toNodeHandler } from "../../adapters/http/node.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import { github } from "../support/http/signing.ts";

const SECRET = "It's a Secret to Everybody";
/** Formatted as no serializer would do it, so that parsing and serializing it again changes the bytes. */
const BODY = '{ "n" : 1.0 }';
const FORM = "a=%20b&c";

let service: TestService;
let server: Server | undefined;
let path = "";
beforeEach(async () => {
  service = await createTestService({ secret: "a-secret-of-the-tests-with-32-characters-or-more" });
  const steps = [{ type: "input" as const, key: "in", input: {}, webhook: { method: "POST" as const, path: "in" } }];
  const { id } = await service.stepwell.workflows.create(service.app, { name: "Signed", steps });
  await service.stepwell.workflows.deploy(service.app, id);
  path = `/public/apps/hooks/${service.app}/in`;
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await service.close();
});

async function requireSignature(): Promise<void> {
  const [hook] = (await service.stepwell.hooks.list(service.app)).items;
  await service.stepwell.hooks.putSignature(service.app, hook?.id ?? "", { scheme: "github", secret: SECRET });
}

async function send(parser: express.RequestHandler, body: string, type: string): Promise<Response> {
  server = express().use(parser).use(toNodeHandler(service.stepwell)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address === null || typeof address === "string" ? 0 : address.port;
  const headers = { ...github(SECRET, body), "content-type": type };
  return fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body, headers });
}

describe("a signed webhook", () => {
  it.each([
    ["express.json()", express.json(), BODY, "application/json"],
    ["express.urlencoded()", express.urlencoded({ extended: true }), FORM, "application/x-www-form-urlencoded"],
    ["express.json() with a body that serializes to the same bytes", express.json(), '{"n":1}', "application/json"],
  ])("behind %s returns 501, says how to keep the raw body, and starts no run", async (_, parser, body, type) => {
    await requireSignature();
    const response = await send(parser, body, type);
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ code: "not_configured", detail: expect.stringMatching(/rawBody/) });
    expect((await service.stepwell.runs.list(service.app)).total).toBe(0);
  });

  const verify = (request: IncomingMessage & { rawBody?: Buffer }, _: unknown, bytes: Buffer) => {
    request.rawBody = bytes;
  };
  it.each([
    ["express.raw()", express.raw({ type: () => true })],
    ["express.json() that sets rawBody", express.json({ verify })],
  ])("behind %s verifies the signature over the received bytes", async (_, parser) => {
    await requireSignature();
    expect((await send(parser, BODY, "application/json")).status).toBe(202);
  });
});

it("an unsigned webhook accepts the body as a parser parsed it", async () => {
  const response = await send(express.json(), BODY, "application/json");
  expect(response.status).toBe(202);
  const { id } = await response.json();
  expect((await service.stepwell.runs.wait(service.app, id)).output).toEqual({ n: 1 });
});
