/** A queue that only other settings mend: the log says what to change, and nothing waits for it without a limit. */

import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import type { ClusterConnection } from "../../../src/ports/cluster.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { createTestClock } from "../../../src/testing/index.ts";
import { connect, job, never, type OpenOptions, workAt } from "../../support/cluster/connections.ts";
import { freePort } from "../../support/free-port.ts";
import { type RedisServer, startRedis } from "../../support/servers/redis.ts";
import { silent } from "../../support/storage/open.ts";
import { until } from "../../support/until.ts";

let server: RedisServer;
let errors: string[];
let logged: unknown[];
const connections: ClusterConnection[] = [];
const note = (message: string, fields: unknown) => logged.push(message, fields);
const logger: Logger = {
  ...silent,
  warn: note,
  error(message, fields) {
    errors.push(message);
    note(message, fields);
  },
};

beforeEach(() => {
  errors = [];
  logged = [];
});
const closeConnections = () => Promise.all(connections.splice(0).map((connection) => connection.close(never)));
afterEach(closeConnections);

function open(more: Partial<OpenOptions> = {}): ClusterConnection {
  const connection = connect({ connection: server.url, logger, ...more });
  connections.push(connection);
  return connection;
}

const failureOf = (connection: ClusterConnection) =>
  connection.add([job("a")]).then(
    () => "was added",
    (error: Error) => error.message,
  );

describe("a Redis with users", () => {
  const asUser = (user: string) => `redis://${user}@127.0.0.1:${server.port}`;
  const rights = ["~{stepwell}:*", "&{stepwell}:*", "+@all", "-@dangerous"];
  beforeEach(async () => {
    server = await startRedis(["--databases", "4"]);
    const admin = new Redis(server.url);
    await admin.call("ACL", "SETUSER", "right", "on", ">geheim", ...rights, "+info");
    await admin.call("ACL", "SETUSER", "noinfo", "on", ">geheim", ...rights);
    await admin.call("ACL", "SETUSER", "noeval", "on", ">geheim", ...rights, "+info", "-@scripting");
    await admin.call("ACL", "SETUSER", "nokeys", "on", ">geheim", "resetkeys", "allchannels", "+@all");
    await admin.call("ACL", "SETUSER", "nopub", "on", ">geheim", ...rights, "+info", "-publish");
    admin.disconnect();
  });
  afterEach(async () => {
    // A worker that closes waits for its Redis, in these tests without a limit.
    await closeConnections();
    await server.close();
  });

  it("works for the user that the message recommends", async () => {
    const connection = open({ connection: asUser("right:geheim") });
    const handled = workAt(connection);
    await connection.add([job("a"), job("b", { delayMs: 10 }), job("c", { priority: 3 })]);
    await until(() => handled.length === 3);
    expect(connection.problem()).toBeNull();
    expect(errors).toEqual([]);
  });

  it("works and closes without the right to INFO, and the log says what is missing", async () => {
    const connection = open({ connection: asUser("noinfo:geheim") });
    const handled = workAt(connection);
    await connection.add([job("a")]);
    await until(() => handled.length === 1);
    await connections.pop()?.close(never);
    expect(errors).toEqual([
      expect.stringMatching(/at 127\.0\.0\.1:\d+: .*user "noinfo" the command INFO.*ACL SETUSER noinfo .*\+info\.$/),
    ]);
  });

  it.each([
    ["a wrong password", "right:wrong-one", /rejects the user or the password \(WRONGPASS .*Correct them/],
    ["an unknown user", "nobody:wrong-one", /rejects the user or the password \(WRONGPASS/],
    ["no right to scripts", "noeval:geheim", /does not allow the user "noeval" .*NOPERM.*ACL SETUSER noeval ~/],
    ["no right to its keys", "nokeys:geheim", /does not allow the user "nokeys" .*NOPERM.*ACL SETUSER nokeys ~/],
  ])("with %s: adding fails, and the log says once what to change", async (_, user, message) => {
    const connection = open({ connection: asUser(user), timing: { heartbeatMs: 1 } });
    const handled = workAt(connection);
    connection.subscribe(() => undefined);
    for (let round = 0; round < 3; round++) expect(await failureOf(connection)).toMatch(message);
    expect(connection.problem()).toMatch(message);
    await until(() => errors.length > 0);
    await connections.pop()?.close(never);
    expect(errors).toEqual([expect.stringMatching(message)]);
    expect(errors[0]).toContain(`127.0.0.1:${server.port}`);
    expect(JSON.stringify(logged)).not.toMatch(/wrong-one|geheim/);
    expect(handled).toEqual([]);
  });

  it("without a password that Redis requires is told apart from an outage", async () => {
    const admin = new Redis(server.url);
    await admin.config("SET", "requirepass", "needed");
    const connection = open();
    expect(await failureOf(connection)).toMatch(/rejects the user or the password .*NOAUTH/);
    expect(errors).toHaveLength(1);
    admin.disconnect();
  });

  it("is used as soon as the rights are there", async () => {
    const admin = new Redis(server.url);
    const connection = open({ connection: asUser("noeval:geheim"), timing: { heartbeatMs: 5 } });
    const handled = workAt(connection);
    expect(await failureOf(connection)).toMatch(/NOPERM/);
    await admin.call("ACL", "SETUSER", "noeval", "+@scripting");
    await until(() => connection.problem() === null);
    await connection.add([job("a")]);
    await until(() => handled.length === 1);
    admin.disconnect();
  });

  it("reports that it may not publish", async () => {
    const connection = open({ connection: asUser("nopub:geheim") });
    await connection.add([job("a")]);
    connection.publish("hello");
    await until(() => errors.length > 0);
    expect(errors[0]).toMatch(/"nopub".*NOPERM.*publish/);
    expect(connection.problem()).toBeNull();
  });

  it("without the database is not used with another one", async () => {
    const connection = open({ connection: `${server.url}/99` });
    const handled = workAt(connection);
    connection.publish("hello");
    expect(await failureOf(connection)).toMatch(/has no database 99 .*Choose another one/);
    expect(connection.problem()).toMatch(/has no database 99/);
    await connections.pop()?.close(never);
    const admin = new Redis(server.url);
    expect(await admin.keys("*")).toEqual([]);
    expect(handled).toEqual([]);
    expect(errors).toHaveLength(1);
    admin.disconnect();
  });

  it("that evicts keys is used, with an error in the log instead of the console", async () => {
    const admin = new Redis(server.url);
    await admin.config("SET", "maxmemory-policy", "allkeys-lru");
    const connection = open();
    const handled = workAt(connection);
    await connection.add([job("a")]);
    await until(() => handled.length === 1);
    expect(errors).toEqual([expect.stringMatching(/may evict jobs .*maxmemory-policy noeviction/)]);
    admin.disconnect();
  });

  it("logs the same again after half an hour", async () => {
    const clock = createTestClock();
    const connection = open({ connection: asUser("noeval:geheim"), clock });
    expect(await failureOf(connection)).toMatch(/NOPERM/);
    await clock.advance("29m");
    await failureOf(connection);
    expect(errors).toHaveLength(1);
    await clock.advance("1m");
    await failureOf(connection);
    expect(errors).toHaveLength(2);
  });
});

describe("something else than a Redis that BullMQ supports", () => {
  let other: Server;
  afterEach(async () => {
    await closeConnections();
    other.close();
  });

  async function listen(answer: (text: string) => string | null): Promise<string> {
    other = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (data) => {
        const text = answer(data.toString("latin1"));
        if (text === null) socket.destroy();
        else socket.write(text);
      });
    });
    await once(other.listen(0, "127.0.0.1"), "listening");
    const address = other.address();
    return `redis://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  it.each([
    ["a web server", () => "HTTP/1.1 400 Bad Request\r\n\r\n", /is no Redis/],
    [
      "an old Redis",
      (text: string) => bulk("redis_version:5.0.14\r\n").repeat(commandsIn(text)),
      /needs Redis 6.2 or later, or Valkey.*version 5\.0\.14/,
    ],
  ])("%s is refused", async (_, answer, message) => {
    const connection = open({ connection: await listen(answer) });
    workAt(connection);
    expect(await failureOf(connection)).toMatch(message);
    expect(connection.problem()).toMatch(message);
    expect(errors).toEqual([expect.stringMatching(message)]);
  });

  it("a server that closes every connection is an outage whose cause is named", async () => {
    const connection = open({ connection: await listen(() => null) });
    await until(async () => /closes connections before it answers/.test(await failureOf(connection)));
    expect(connection.problem()).toBeNull();
    expect(errors).toEqual([]);
  });

  const commandsIn = (text: string) => text.match(/^\*\d+\r$/gm)?.length ?? 0;
  const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;
});

it("a host that is unknown is named with its port", async () => {
  const connection = open({ connection: "redis://name.invalid:7001" });
  expect(await failureOf(connection)).toMatch(/ENOTFOUND|EAI_AGAIN/);
  expect(await failureOf(connection)).toContain("name.invalid:7001");
});

it("a port on which nothing listens is named", async () => {
  const port = await freePort();
  const connection = open({ connection: `redis://127.0.0.1:${port}` });
  expect(await failureOf(connection)).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`);
  expect(inject("redis")).not.toContain(String(port));
});
