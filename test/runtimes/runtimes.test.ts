/** The built package in every supported server, used by clients over real sockets. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { sample } from "../support/sample.ts";
import { openEchoServer } from "./echo-server.ts";
import { RUNTIMES, type Started, start } from "./host.ts";
import { scenarios } from "./scenarios.ts";
import { ADMIN_KEY, openTarget, type Target } from "./target.ts";

const { node, bun, deno } = RUNTIMES;
const host = (name: string) => `test/runtimes/hosts/${name}.js`;
const express = (version: string, parsers: string) => [...node, host("express"), version, parsers];

/** With the path where each mounts Stepwell. */
const HOSTS: readonly (readonly [name: string, command: readonly string[], mount: string])[] = [
  ["node:http", [...node, host("node-http")], ""],
  ["Express 5", express("express", "none"), "/automation"],
  ["Express 5 behind body parsers", express("express", "parsed"), "/automation"],
  ["Express 5 behind raw()", express("express", "raw"), "/automation"],
  ["Express 4", express("express4", "none"), "/automation"],
  ["Express 4 behind body parsers", express("express4", "parsed"), "/automation"],
  ["Express 4 behind raw()", express("express4", "raw"), "/automation"],
  ["Koa", [...node, host("koa")], "/automation"],
  ["Fastify", [...node, host("fastify")], "/automation"],
  ["NestJS", [...node, host("nest"), "before"], "/automation"],
  ["NestJS behind its body parsers", [...node, host("nest"), "module"], "/automation"],
  ["Hono", [...node, host("hono")], "/automation"],
  ["Hono on Bun", [...bun, host("hono")], "/automation"],
  ["Hono on Deno", [...deno, host("hono")], "/automation"],
  ["Elysia", [...bun, host("elysia")], "/automation"],
  ["Bun.serve, on SQLite", [...bun, host("bun")], ""],
  ["Deno.serve, on SQLite", [...deno, host("deno")], "/automation"],
];

/** Each adapter, parsers that read a body first, and each runtime with its SQLite. */
const SAMPLE = [
  "node:http",
  "Express 5 behind body parsers",
  "Fastify",
  "Bun.serve, on SQLite",
  "Deno.serve, on SQLite",
];

let echo: Awaited<ReturnType<typeof openEchoServer>>;
let folder = "";
beforeAll(async () => {
  echo = await openEchoServer();
  folder = await mkdtemp(join(tmpdir(), "stepwell-runtimes-"));
});
afterAll(async () => {
  await echo.close();
  await rm(folder, { recursive: true, force: true });
});

/** Two hosts store everything in SQLite, as these runtimes have it. */
const onSqlite = [host("bun"), host("deno")];

async function serve(command: readonly string[], mount: string, baseUrl?: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${mount}`;
  const publicUrl = baseUrl ?? url;
  const SQLITE_FILE = command.some((part) => onSqlite.includes(part)) ? join(folder, String(port), "store.db") : "";
  const env = { PORT: String(port), BASE_URL: publicUrl, ALLOW: echo.host, ADMIN_KEY, SQLITE_FILE };
  const server = await start(command, env, (line) => line === "READY");
  const readsJson = command.includes("module") || command.includes("parsed");
  const place = { url, publicUrl, readsJson, sendsLength: true, allowed: `http://${echo.host}/` };
  return { server, target: await openTarget(place) };
}

/** Stops a server, which must not have logged an error: no test here causes one. */
async function stopped(server: Started | undefined): Promise<void> {
  await server?.stop();
  expect(server?.lines.filter((line) => line.startsWith("LOGGED"))).toEqual([]);
}

/** Body parsers and proxies do not affect how responses are sent. */
const READING = ["sends everything to a slow client", "survives a client that disconnects during a download"];
const incoming = Object.entries(scenarios).filter(([name]) => !READING.includes(name));

/** Behind parsers that discard the bytes, signed requests get 501 (test/hooks/parsed-bodies.test.ts). */
const SIGNED = "verifies signatures of the original bytes of a webhook";
const rebuilt = incoming.filter(([name]) => name !== SIGNED);

it("the scenarios that some hosts leave out exist", () =>
  expect(Object.keys(scenarios)).toEqual(expect.arrayContaining([...READING, SIGNED])));

describe.each(sample(HOSTS, SAMPLE))("%s", (name, command, mount) => {
  let server: Started;
  let target: Target;

  beforeAll(async () => {
    ({ server, target } = await serve(command, mount));
  });
  afterAll(() => stopped(server));

  const those = name.includes("behind") ? incoming : Object.entries(scenarios);
  it.each(command.includes("parsed") ? rebuilt : those)("%s", (_, scenario) => scenario(target));
});

describe("behind a proxy with another public URL", () => {
  const baseUrl = "https://example.test/automation";
  let server: Started;
  let target: Target;

  beforeAll(async () => {
    ({ server, target } = await serve([...node, host("node-http")], "", baseUrl));
  });
  afterAll(() => stopped(server));

  it.each(incoming)("%s", (_, scenario) => scenario(target));

  it("answers with and without the mount path", async () => {
    const answers = ["", "/automation"].map((path) =>
      fetch(`${target.url}${path}/apps/${target.appId}/collections?take=1`),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  });
});
