/** Stepwell's drivers: the contract of all, and what each of them does beyond it. */
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import fs from "../../adapters/storage/fs/fs.ts";
import redis from "../../adapters/storage/redis.ts";
import s3 from "../../adapters/storage/s3.ts";
import { startChild } from "../faults/child.ts";
import { type ConditionalS3, startConditionalS3 } from "../support/servers/conditional-s3.ts";
import { driverContract } from "../support/storage/driver-contract.ts";
import { CLIENT_KINDS, KINDS } from "../support/storage/drivers.ts";

for (const kind of [...KINDS.filter(({ ours, name }) => ours && name !== "s3"), ...CLIENT_KINDS])
  driverContract(kind.name, kind.createStorage);

const credentials = { bucket: "some-bucket", region: "auto", accessKeyId: "id", secretAccessKey: "secret" };

for (const removesOnCondition of [true, false]) {
  driverContract(`s3 with conditional puts${removesOnCondition ? " and removals" : ""}`, async () => {
    const server = await startConditionalS3({ removesOnCondition });
    return { open: () => s3({ endpoint: server.url, prefix: "within/", ...credentials }), clean: server.close };
  });
}

describe("the fs driver", () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "stepwell-fs-"));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it.each([
    "../x",
    "a:..:..:x",
    "a:.",
    "/etc/passwd",
    "a\\..\\b",
    "C:x",
    "a?b",
    "A",
    "é",
    "a\u0000b",
    ".lock.1",
    "a/b",
  ])("stores the key %s within its folder, distinct from other keys", async (key) => {
    const driver = fs({ base: join(base, "inner") });
    await driver.setItem?.(key, "text", {});
    expect(await driver.getItem(key)).toBe("text");
    expect(await driver.getKeys("", {})).toEqual([key]);
    expect(await readdir(base)).toEqual(["inner"]);
    expect(await driver.getItem(key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase())).toBeNull();
    await driver.dispose?.();
  });

  it("rejects a second driver on its folder in this process until the first is disposed", async () => {
    const one = fs({ base });
    await one.setItem?.("a:b", "x", {});
    const other = fs({ base });
    await expect(other.getItem("a:b")).rejects.toThrow(/in use by another driver of this process/);
    await one.dispose?.();
    expect(await other.getItem("a:b")).toBe("x");
    await other.dispose?.();
  });

  it.each(["node", "bun", "deno"] as const)(
    "rejects the folder of a living %s process, and takes it over once that is killed",
    async (runtime) => {
      const owner = await startChild(join(import.meta.dirname, "../faults/owner.ts"), [base], runtime);
      await owner.line((line) => line === "ready");
      const driver = fs({ base });
      await expect(driver.getItem("a:b")).rejects.toThrow(
        new RegExp(
          `is in use by process ${owner.pid} on .*: stop that process, such as the service, or use a different`,
        ),
      );
      await owner.kill();
      expect(await driver.getItem("a:b")).toBe("x");
      await driver.dispose?.();
    },
  );

  it("names path and reason when it cannot read or write", async () => {
    await writeFile(join(base, "file"), "");
    await expect(fs({ base: join(base, "file") }).getItem("a:b")).rejects.toThrow(join(base, "file"));
    await mkdir(join(base, "data", "a", "b"), { recursive: true });
    const driver = fs({ base: join(base, "data") });
    await expect(driver.getItem("a:b")).rejects.toThrow(/EISDIR/);
    await expect(driver.setItem?.("a:b", "x", {})).rejects.toThrow(join(base, "data", "a", "b"));
    await driver.dispose?.();
    await chmod(base, 0o700);
    expect(() => fs({ base: "" })).toThrow(/needs a folder/);
  });

  it("leaves no temporary files, and removes those of a process that died", async () => {
    await mkdir(join(base, ".tmp"));
    await writeFile(join(base, ".tmp", "5"), "half");
    const driver = fs({ base });
    for (let n = 0; n < 20; n++) await driver.setItem?.(`a:${n}`, "x", {});
    expect(await readdir(join(base, ".tmp"))).toEqual([]);
    await driver.dispose?.();
  });
});

describe("the redis driver", () => {
  it("uses the client that it is given and leaves it open", async () => {
    const client = new Redis(inject("redis"));
    const driver = redis({ client, prefix: "shared:" });
    await driver.setItem?.("a:b", "x", {});
    expect(await driver.getItems?.([{ key: "a:b" }, { key: "a:c" }])).toEqual([
      { key: "a:b", value: "x" },
      { key: "a:c", value: null },
    ]);
    await driver.dispose?.();
    expect(await client.get("shared:a:b")).toBe("x");
    client.disconnect();
  });

  it("throws when neither url nor client is given", () => {
    expect(() => redis({})).toThrow(/url/);
  });

  it.each([
    ["an unknown option", { url: "redis://localhost", base: "a" }, /no option "base"/],
    ["a URL of something else", { url: "http://localhost" }, /needs a url/],
    ["a URL as the client", { client: "redis://u:secret@localhost" }, /^The client of the redis driver must be one/],
    ["an object without methods as the client", { client: {} }, /must be one/],
    ["a client that is not connected", { client: createClient() }, /Call "await client.connect\(\)"/],
  ])("refuses %s", (_, options, message) => {
    expect(() => redis(options as Parameters<typeof redis>[0])).toThrow(message);
  });
});

describe("the s3 driver", () => {
  let server: ConditionalS3;
  beforeAll(async () => {
    server = await startConditionalS3();
  });
  afterAll(() => server.close());
  const open = (options = {}) => s3({ endpoint: server.url, ...credentials, ...options });

  it.each([500, 503, 429])("retries a request that fails with %d", async (status) => {
    const driver = open();
    server.fail(status, 2);
    await driver.setItem?.("a:b", "x", {});
    server.fail(status, 1);
    expect(await driver.getItem("a:b")).toBe("x");
  });

  it("quotes the response of the service when it gives up", async () => {
    server.fail(503, 3);
    await expect(open({ retries: 2 }).getItem("a:b")).rejects.toThrow(
      /GET .*some-bucket\/a\/b failed with 503: on demand/,
    );
    server.fail(403, 1);
    await expect(open().setItem?.("a:b", "x", {})).rejects.toThrow(/403: on demand/);
  });

  it("lists all keys over several pages", async () => {
    const driver = open({ prefix: "list/" });
    const keys = ["a:1", "a:2", "a:3", "a:4", "a:5"];
    for (const key of keys) await driver.setItem?.(key, "x", {});
    expect(await driver.getKeys("a:", {})).toEqual(keys);
  });

  it("puts the bucket into the host name with virtual-host addressing", async () => {
    const url = new URL(server.url);
    const driver = open({ endpoint: `http://localhost:${url.port}`, addressing: "virtual-host" });
    // The name resolves only where names under localhost do; the test is about the requested host.
    await Promise.resolve(driver.getItem("a:b")).then(
      () => expect(server.requests.at(-1)).toBe(`GET some-bucket.localhost:${url.port} /a/b`),
      (error: Error) => expect(String(error.cause)).toContain("some-bucket.localhost"),
    );
  });

  it("names a missing option", () => {
    expect(() => open({ bucket: "" })).toThrow(/"bucket"/);
  });
});
