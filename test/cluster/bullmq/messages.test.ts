/** Messages to all processes. */
import { Redis } from "ioredis";
import { afterEach, describe, expect, inject, it } from "vitest";
import type { ClusterConnection } from "../../../src/ports/cluster.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { connect, never, untilHeard } from "../../support/cluster/connections.ts";
import { silent } from "../../support/storage/open.ts";
import { uniquePrefix } from "../../support/storage/redis-stores.ts";
import { until } from "../../support/until.ts";

const opened: ClusterConnection[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close(never)));
});

function open(prefix: string, logger: Logger = silent) {
  const connection = connect({ connection: inject("redis"), prefix, logger });
  const heard: string[] = [];
  opened.push(connection);
  connection.subscribe((message) => heard.push(message));
  return { connection, heard };
}

describe("messages", () => {
  it("reach every process in order, the sender included, and no other service", async () => {
    const prefix = uniquePrefix();
    const [one, other, stranger] = [open(prefix), open(prefix), open(uniquePrefix())];
    await untilHeard(one.connection, one.heard, "ready");
    await untilHeard(one.connection, other.heard, "ready");
    await untilHeard(stranger.connection, stranger.heard, "ready");
    const texts = Array.from({ length: 100 }, (_, n) => `${n} äöü`);
    for (const text of [...texts, "x".repeat(8_192), "end"]) one.connection.publish(text);
    await until(() => [one, other].every(({ heard }) => heard.includes("end")));
    for (const { heard } of [one, other]) {
      expect(heard.filter((text) => text !== "ready")).toEqual([...texts, "x".repeat(8_192), "end"]);
    }
    expect(new Set(stranger.heard)).toEqual(new Set(["ready"]));
  });

  it("that were published before the connection closed are sent", async () => {
    const prefix = uniquePrefix();
    const [one, other] = [open(prefix), open(prefix)];
    await untilHeard(one.connection, other.heard, "ready");
    one.connection.publish("goodbye");
    await one.connection.close(never);
    await until(() => other.heard.includes("goodbye"));
    expect(other.heard.at(-1)).toBe("goodbye");
  });

  it("on which the listener throws are logged, and the next ones arrive", async () => {
    const prefix = uniquePrefix();
    const errors: unknown[] = [];
    const failing = connect({
      connection: inject("redis"),
      prefix,
      logger: { ...silent, error: (_, fields) => errors.push(fields?.["error"]) },
    });
    opened.push(failing);
    const heard: string[] = [];
    failing.subscribe((message) => {
      heard.push(message);
      if (message === "bad") throw new Error("cannot read this");
    });
    await untilHeard(failing, heard, "ready");
    failing.publish("bad");
    failing.publish("good");
    await until(() => heard.includes("good"));
    expect(errors).toEqual([new Error("cannot read this")]);
  });

  it("are dropped before the connection is there, and never throw", async () => {
    const prefix = uniquePrefix();
    const observer = new Redis(inject("redis"));
    const heard: string[] = [];
    observer.on("message", (_, message) => heard.push(message));
    await observer.subscribe(`{${prefix}}:messages`);
    const { connection } = open(prefix);
    connection.publish("too early");
    await untilHeard(connection, heard, "in time");
    expect(new Set(heard)).toEqual(new Set(["in time"]));
    observer.disconnect();
  });
});
