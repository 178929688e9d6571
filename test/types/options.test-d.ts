/** Types of the options, and of the handler where it is mounted. */
import type { createServer } from "node:http";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { RequestHandler } from "express";
import Fastify from "fastify";
import pg from "pg";
import type { createStorage } from "unstorage";
import unstorageFs from "unstorage/drivers/fs";
import unstorageMemory from "unstorage/drivers/memory";
import unstorageRedis from "unstorage/drivers/redis";
import * as v from "valibot";
import { assertType, describe, expectTypeOf, it } from "vitest";
import { stepwellFastify } from "../../adapters/http/fastify.ts";
import { nextStepwell } from "../../adapters/http/next.ts";
import { type NodeHandler, toNodeHandler } from "../../adapters/http/node.ts";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import postgres from "../../adapters/storage/postgres/postgres.ts";
import redisDriver from "../../adapters/storage/redis.ts";
import s3Driver from "../../adapters/storage/s3.ts";
import { createStepwell, defineService, type Options, type Stepwell } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";

/** As Bun and Deno declare them. */
type BunServe = (options: {
  fetch: (this: object, request: Request, server: { port: number }) => Promise<Response>;
}) => void;
type DenoServe = (
  handler: (request: Request, info: { remoteAddr: object; completed: Promise<void> }) => Response | Promise<Response>,
) => void;

/** As Next.js checks it. */
type NextRouteHandler = (
  request: Request & { nextUrl: URL },
  context: { params: Promise<{ path?: string[] }> },
) => Promise<Response | undefined> | Response | undefined;

describe("the type Options", () => {
  it("has optional properties only", () => {
    expectTypeOf(createStepwell).toBeCallableWith();
    expectTypeOf(createStepwell).toBeCallableWith({});
    assertType<Options>({});
  });

  it("accepts undefined for values from the environment", () => {
    const fromEnvironment: string | undefined = undefined;
    assertType<Options>({ secret: fromEnvironment, adminKey: fromEnvironment, baseUrl: fromEnvironment });
  });

  it("accepts the included storage drivers", () => {
    assertType<Options>({ storage: { entities: fsDriver({ base: "here" }), blobs: fsDriver({ base: "there" }) } });
    assertType<Options>({ storage: { entities: redisDriver({ url: "redis://localhost" }) } });
    const bucket = { endpoint: "", region: "", bucket: "", accessKeyId: "", secretAccessKey: "" };
    assertType<Options>({ storage: { blobs: s3Driver(bucket) } });
  });

  it("accepts the store on PostgreSQL, with a url or a pool of pg", () => {
    const blobs = fsDriver({ base: "here" });
    assertType<Options>({ storage: { entities: postgres({ url: "postgres://localhost" }), blobs } });
    assertType<Options>({ storage: { entities: postgres({ pool: new pg.Pool(), schema: "service" }), blobs } });
    // @ts-expect-error: a client is no pool
    postgres({ pool: new pg.Client() });
    // @ts-expect-error: it stores no bytes of files
    assertType<Options>({ storage: { blobs: postgres({ url: "postgres://localhost" }) } });
  });

  it("accepts unstorage drivers, and unstorage accepts the included ones", () => {
    assertType<Options>({ storage: { entities: unstorageMemory(), blobs: unstorageFs({ base: "here" }) } });
    assertType<Options>({ storage: { entities: unstorageRedis({ url: "redis://localhost" }) } });
    assertType<Parameters<typeof createStorage>[0]>({ driver: fsDriver({ base: "here" }) });
  });

  it("accepts AI SDK providers and functions that return models", () => {
    const openai = createOpenAI({ apiKey: "" });
    const local = createOpenAICompatible({ name: "local", baseURL: "" });
    assertType<Options>({ models: { openai, chat: openai.chat, anthropic: createAnthropic({ apiKey: "" }), local } });
    assertType<Options>({ models: { fake: scriptedModel(["yes"]) } });
    // @ts-expect-error: a provider, not a key
    assertType<Options>({ models: { openai: "sk-…" } });
  });

  it("rejects misspelled and invalid options", () => {
    assertType<Options>({ limits: { bodyBytes: 1 }, net: { allow: ["10.0.0.0/8"] }, cors: { origins: "*" } });
    // @ts-expect-error: baseUrl
    assertType<Options>({ baseURL: "http://localhost" });
    // @ts-expect-error: there is no such limit
    assertType<Options>({ limits: { files: 1 } });
    // @ts-expect-error: a list, or a star
    assertType<Options>({ cors: { origins: "https://example.com" } });
    // @ts-expect-error: a driver, not a folder
    assertType<Options>({ storage: { entities: ".stepwell" } });
  });
});

describe("the type of fetch", () => {
  it("fits Bun.serve and Deno.serve", () => {
    expectTypeOf<Stepwell["fetch"]>().toExtend<Parameters<BunServe>[0]["fetch"]>();
    expectTypeOf<Stepwell["fetch"]>().toExtend<Parameters<DenoServe>[0]>();
    expectTypeOf<{ fetch: Stepwell["fetch"] }>().toExtend<Parameters<BunServe>[0]>();
  });

  it("fits node:http and Express through toNodeHandler", () => {
    expectTypeOf(toNodeHandler).returns.toEqualTypeOf<NodeHandler>();
    expectTypeOf<NodeHandler>().toExtend<NonNullable<Parameters<typeof createServer>[1]>>();
    expectTypeOf<NodeHandler>().toExtend<RequestHandler>();
    toNodeHandler({ fetch: async () => new Response() });
    toNodeHandler(createStepwell().fetch);
    // @ts-expect-error: nothing to answer with
    toNodeHandler();
  });

  it("fits Fastify through stepwellFastify", () => {
    const app = Fastify();
    app.register(stepwellFastify, { prefix: "/automation", stepwell: createStepwell(), closeWithServer: true });
    // @ts-expect-error: nothing to mount
    app.register(stepwellFastify, { prefix: "/automation" });
  });

  it("fits routes of Next.js through nextStepwell, which keeps the types of services", () => {
    const services = [
      defineService({ name: "own", actions: { act: { input: v.string(), output: v.number(), run: () => 1 } } }),
    ] as const;
    const { getStepwell, handlers } = nextStepwell(() => createStepwell({ services }));
    expectTypeOf(getStepwell).returns.resolves.toEqualTypeOf<Stepwell<typeof services>>();
    expectTypeOf(handlers.GET).toExtend<NextRouteHandler>();
    nextStepwell(async () => createStepwell(), { name: "other" });
    // @ts-expect-error: options, not an instance
    nextStepwell(() => ({ services }));
  });
});
