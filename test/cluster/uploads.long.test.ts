/** Resumable uploads at several processes that share a store: clients reconnect through another one, and processes die. */
import { afterEach, describe, expect, it } from "vitest";
import type { Stepwell } from "../../src/index.ts";
import { openReceivers, type Receivers, SHARED_BLOBS } from "../support/cluster/receivers.ts";
import { FORM, form, outcome, post } from "../support/files/service.ts";
import { begun, content, create, dying, offsetOf, patch, sha256, tus } from "../support/files/tus.ts";

const MEBI = 1024 * 1024;
const SIZE = 3 * MEBI + 123_456;
const ALL = content(SIZE);
const HOUR_MS = 3_600_000;

const opened: Receivers[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((receivers) => receivers.close()));
});

describe.each(SHARED_BLOBS)("a resumable upload in a cluster, on $name", ({ open }) => {
  async function receivers(): Promise<Receivers> {
    const found = await openReceivers(open());
    opened.push(found);
    return found;
  }

  /** Sends bytes over a connection that then dies without being noticed. Returns when all of them have arrived. */
  async function begin(stepwell: Stepwell, location: string, from: number, to: number) {
    const half = from + Math.floor((to - from) / 2);
    const { body, taken } = dying(ALL.subarray(from, half), ALL.subarray(half, to));
    const response = patch(stepwell, location, from, body);
    await taken;
    return { response };
  }

  async function expectWhole({ read, first, app }: Receivers, file: string): Promise<void> {
    expect(await first.stepwell.files.get(app, file)).toMatchObject({ size: SIZE, sha256: sha256(ALL) });
    expect(sha256(await read(file))).toBe(sha256(ALL));
  }

  /** Everything that was stored can be deleted, by the sweep of another process at the latest. */
  async function expectNothingLeft({ first, app, items, leap, start, until }: Receivers, file: string): Promise<void> {
    await first.stepwell.files.remove(app, file);
    leap(25 * HOUR_MS);
    await start("sweeper");
    await until(async () => (await items()) === 0);
  }

  it.each([
    { at: 0, losesMessages: false },
    { at: 0, losesMessages: true },
    { at: MEBI + 77, losesMessages: false },
    { at: MEBI + 77, losesMessages: true },
  ])("goes on at another process at byte $at (lost messages: $losesMessages)", async ({ at, losesMessages }) => {
    const cluster = await receivers();
    const { first, second, queue, settled } = cluster;
    const { url, file } = await cluster.address();
    const location = await begun(first.stepwell, url, SIZE);
    if (at > 0) {
      expect((await settled(patch(second.stepwell, location, 0, ALL.subarray(0, at)))).status).toBe(204);
    }
    queue.losesMessages = losesMessages;
    const { response: answer } = await begin(first.stepwell, location, at, at + MEBI + 1_000);
    expect(await settled(offsetOf(second.stepwell, location))).toBe(at + MEBI + 1_000);
    expect(await outcome(await settled(answer))).toBe("409 conflict");
    const from = at + MEBI + 1_000;
    expect((await settled(patch(second.stepwell, location, from, ALL.subarray(from)))).status).toBe(204);
    await expectWhole(cluster, file);
    await expectNothingLeft(cluster, file);
  });

  it("goes on at another process with a chunk, without asking for the offset", async () => {
    const cluster = await receivers();
    const { first, second, settled } = cluster;
    const { url, file } = await cluster.address();
    const location = await begun(second.stepwell, url, SIZE);
    const { response: answer } = await begin(first.stepwell, location, 0, MEBI + 5);
    const refused = await settled(patch(second.stepwell, location, 0, ALL));
    expect([refused.status, refused.headers.get("upload-offset")]).toEqual([409, String(MEBI + 5)]);
    expect(await outcome(await settled(answer))).toBe("409 conflict");
    expect((await settled(patch(first.stepwell, location, MEBI + 5, ALL.subarray(MEBI + 5)))).status).toBe(204);
    expect(await settled(offsetOf(second.stepwell, location))).toBe(SIZE);
    await expectWhole(cluster, file);
  });

  it("arrives in chunks at alternating processes", async () => {
    const cluster = await receivers();
    const { url, file } = await cluster.address();
    const location = await begun(cluster.first.stepwell, url, SIZE);
    const chunk = 400_000;
    for (let at = 0; at < SIZE; at += chunk) {
      const { stepwell } = (at / chunk) % 3 === 1 ? cluster.first : cluster.second;
      const response = await cluster.settled(patch(stepwell, location, at, ALL.subarray(at, at + chunk)));
      expect(response.headers.get("upload-offset")).toBe(String(Math.min(SIZE, at + chunk)));
    }
    await expectWhole(cluster, file);
    await expectNothingLeft(cluster, file);
  });

  it("has the right digest after a chunk that was discarded elsewhere", async () => {
    const cluster = await receivers();
    const { first, second, settled } = cluster;
    const { url, file } = await cluster.address();
    const location = await begun(first.stepwell, url, SIZE);
    const wrong = content(MEBI, 2);
    const checksum = { "upload-checksum": `sha256 ${Buffer.from(sha256(ALL), "hex").toString("base64")}` };
    expect((await settled(patch(first.stepwell, location, 0, wrong, checksum))).status).toBe(460);
    expect((await settled(patch(second.stepwell, location, 0, ALL.subarray(0, MEBI)))).status).toBe(204);
    expect((await settled(patch(first.stepwell, location, MEBI, ALL.subarray(MEBI)))).status).toBe(204);
    await expectWhole(cluster, file);
  });

  it("goes on from the last checkpoint of a process that died", async () => {
    const cluster = await receivers();
    const { first, second, settled, clock } = cluster;
    const { url, file } = await cluster.address();
    const location = await begun(first.stepwell, url, SIZE);
    const { body, taken } = dying(ALL.subarray(0, MEBI + 9_000));
    void patch(first.stepwell, location, 0, body);
    await taken;
    await clock.advance("3s");
    first.kill();
    expect(await settled(offsetOf(second.stepwell, location))).toBe(MEBI + 9_000);
    const from = MEBI + 9_000;
    expect((await settled(patch(second.stepwell, location, from, ALL.subarray(from)))).status).toBe(204);
    expect(await second.stepwell.files.get(cluster.app, file)).toMatchObject({ sha256: sha256(ALL) });
    expect(sha256(await cluster.read(file))).toBe(sha256(ALL));
    await second.stepwell.files.remove(cluster.app, file);
    cluster.leap(25 * HOUR_MS);
    await cluster.start("sweeper");
    await cluster.until(async () => (await cluster.items()) === 0);
  });

  it("starts again elsewhere if the process died before its first checkpoint", async () => {
    const cluster = await receivers();
    const { first, second, settled } = cluster;
    const { url, file } = await cluster.address();
    const location = await begun(second.stepwell, url, SIZE);
    await begin(first.stepwell, location, 0, MEBI + 9_000);
    await cluster.until(async () => (await cluster.items()) > 0);
    first.kill();
    expect(await settled(offsetOf(second.stepwell, location))).toBe(0);
    expect((await settled(patch(second.stepwell, location, 0, ALL))).status).toBe(204);
    expect(sha256(await cluster.read(file))).toBe(sha256(ALL));
  });

  it("keeps what is acknowledged when a process that seemed lost writes on", async () => {
    const cluster = await receivers();
    const { first, second, settled, clock } = cluster;
    const { url, file } = await cluster.address();
    const location = await begun(first.stepwell, url, SIZE);
    let more = (_: Uint8Array) => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        more = (bytes) => controller.enqueue(bytes);
      },
    });
    const late = patch(first.stepwell, location, 0, body);
    more(ALL.subarray(0, MEBI + 9_000));
    await clock.advance("3s");
    first.pause();
    expect(await settled(offsetOf(second.stepwell, location))).toBe(MEBI + 9_000);
    const middle = 2 * MEBI + 50_000;
    const own = patch(second.stepwell, location, MEBI + 9_000, ALL.subarray(MEBI + 9_000, middle));
    expect((await settled(own)).status).toBe(204);
    more(content(2 * MEBI, 9));
    await clock.advance("3s");
    first.resume();
    expect(await outcome(await settled(late))).toBe("409 conflict");
    expect(await settled(offsetOf(first.stepwell, location))).toBe(middle);
    expect((await settled(patch(first.stepwell, location, middle, ALL.subarray(middle)))).status).toBe(204);
    await expectWhole(cluster, file);
    await expectNothingLeft(cluster, file);
  });

  it("is ended by its deletion at another process", async () => {
    const cluster = await receivers();
    const { first, second, settled } = cluster;
    const { url } = await cluster.address();
    const location = await begun(first.stepwell, url, SIZE);
    const { response: answer } = await begin(first.stepwell, location, 0, MEBI + 5);
    expect((await settled(tus(second.stepwell, "DELETE", location))).status).toBe(204);
    expect(await outcome(await settled(answer))).toBe("409 conflict");
    expect(await outcome(await settled(tus(first.stepwell, "PATCH", location)))).toBe("415 unsupported_media_type");
    expect(await cluster.items()).toBe(0);
  });

  it("is replaced by a new one at another process", async () => {
    const cluster = await receivers();
    const { first, second, settled } = cluster;
    const { url, file } = await cluster.address();
    const location = await begun(first.stepwell, url, SIZE);
    const { response: answer } = await begin(first.stepwell, location, 0, MEBI + 5);
    const created = await settled(create(second.stepwell, url, { "upload-length": String(SIZE) }));
    expect(created.status).toBe(201);
    expect(await outcome(await settled(answer))).toBe("409 conflict");
    expect((await settled(tus(first.stepwell, "HEAD", location))).status).toBe(404);
    const next = created.headers.get("location") ?? "";
    expect((await settled(patch(first.stepwell, next, 0, ALL))).status).toBe(204);
    await expectWhole(cluster, file);
  });

  it("ends with not_found when its app is deleted at another process", async () => {
    const cluster = await receivers();
    const { first, second, settled } = cluster;
    const { url } = await cluster.address();
    const location = await begun(first.stepwell, url, SIZE);
    const { response: answer } = await begin(first.stepwell, location, 0, MEBI + 5);
    await second.stepwell.apps.remove(cluster.app);
    expect(await outcome(await settled(answer))).toBe("404 not_found");
    await cluster.until(async () => (await cluster.items()) === 0);
  });

  it("that began in time becomes a file although its URL expired and another process swept", async () => {
    const cluster = await receivers();
    const { first, settled, leap, start } = cluster;
    const { url, file } = await cluster.address({ expires_in: 60 });
    const location = await begun(first.stepwell, url, SIZE);
    let finish = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(ALL.subarray(0, MEBI));
        finish = () => {
          controller.enqueue(ALL.subarray(MEBI));
          controller.close();
        };
      },
    });
    const answer = patch(first.stepwell, location, 0, body);
    await cluster.until(async () => (await cluster.items()) > 0);
    leap(HOUR_MS);
    await start("sweeper");
    await cluster.clock.advance("5s");
    finish();
    expect((await settled(answer)).status).toBe(204);
    await expectWhole(cluster, file);
  });

  it("whose URL expired is deleted after its process died", async () => {
    const cluster = await receivers();
    const { first, second, leap, start } = cluster;
    const { url } = await cluster.address({ expires_in: 60 });
    const location = await begun(first.stepwell, url, SIZE);
    await begin(first.stepwell, location, 0, MEBI);
    await cluster.until(async () => (await cluster.items()) > 0);
    // The keeper sweeps when it begins: each of the following processes becomes the next one.
    first.kill();
    second.kill();
    leap(HOUR_MS);
    const sweeper = await start("sweeper");
    await cluster.clock.advance("90s");
    // Bytes of it may still arrive.
    expect(await cluster.items()).toBeGreaterThan(0);
    sweeper.kill();
    leap(25 * HOUR_MS);
    await start("another");
    await cluster.until(async () => (await cluster.items()) === 0);
  });

  it("loses to a whole file at another process, and leaves nothing", async () => {
    const cluster = await receivers();
    const { first, second, settled, read } = cluster;
    const { url, file } = await cluster.address();
    const location = await begun(first.stepwell, url, SIZE);
    const { response: answer } = await begin(first.stepwell, location, 0, MEBI);
    expect((await settled(post(second.stepwell, url, form("whole"), { "content-type": FORM }))).status).toBe(201);
    expect((await settled(answer)).status).toBe(409);
    expect(new TextDecoder().decode(await read(file))).toBe("whole");
    await cluster.until(async () => (await cluster.items()) === 1);
  });

  it("ends with its process, and goes on at the next one at once", async () => {
    const cluster = await receivers();
    const { first, second, settled } = cluster;
    const { url, file } = await cluster.address();
    const location = await begun(first.stepwell, url, SIZE);
    const { response: answer } = await begin(first.stepwell, location, 0, MEBI + 5);
    await cluster.until(async () => (await cluster.items()) > 0);
    const before = cluster.clock.now();
    await settled(first.stepwell.close());
    expect((await answer).status).toBe(409);
    expect(await settled(offsetOf(second.stepwell, location))).toBe(MEBI + 5);
    expect(cluster.clock.now() - before).toBeLessThan(12_000);
    expect((await settled(patch(second.stepwell, location, MEBI + 5, ALL.subarray(MEBI + 5)))).status).toBe(204);
    expect(sha256(await cluster.read(file))).toBe(sha256(ALL));
  });
});
