/** Bytes without a document, in a cluster: those of a file that still arrives elsewhere stay, real orphans go. */
import { afterEach, describe, expect, it } from "vitest";
import { openReceivers, type Receivers, SHARED_BLOBS } from "../support/cluster/receivers.ts";
import { bytes, FORM, form, post } from "../support/files/service.ts";
import { content, sha256 } from "../support/files/tus.ts";

const HOUR_MS = 3_600_000;
const SIZE = 2_300_000;
const ALL = content(SIZE);

const opened: Receivers[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((receivers) => receivers.close()));
});

/** A file that stops arriving after its first part, until the test lets it go on. */
function slowFile() {
  let goOn = () => {};
  const rest = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* body() {
    yield ALL.subarray(0, 1_200_000);
    await rest;
    yield ALL.subarray(1_200_000);
  }
  return { body: body(), goOn };
}

describe.each(SHARED_BLOBS)("a sweep of orphans in a cluster, on $name", ({ open }) => {
  async function receivers(): Promise<Receivers> {
    const found = await openReceivers(open());
    opened.push(found);
    return found;
  }

  it("leaves a file that has been arriving at another process for hours", async () => {
    const cluster = await receivers();
    const { url, file } = await cluster.address();
    const slow = slowFile();
    const stored = cluster.first.stepwell.files.receive(url, { name: "slow", body: slow.body });
    await cluster.until(async () => (await cluster.items()) > 0);
    cluster.leap(23 * HOUR_MS);
    await cluster.start("sweeper");
    await cluster.clock.advance("10s");
    slow.goOn();
    expect(await cluster.settled(stored)).toMatchObject({ id: file, size: SIZE, sha256: sha256(ALL) });
    expect(sha256(await cluster.read(file))).toBe(sha256(ALL));
  });

  it("leaves the file of a URL that expired meanwhile", async () => {
    const cluster = await receivers();
    const { url, file } = await cluster.address({ expires_in: 60 });
    const slow = slowFile();
    const stored = cluster.first.stepwell.files.receive(url, { name: "slow", body: slow.body });
    await cluster.until(async () => (await cluster.items()) > 0);
    cluster.leap(2 * HOUR_MS);
    await cluster.start("sweeper");
    await cluster.clock.advance("10s");
    slow.goOn();
    await cluster.settled(stored);
    expect(sha256(await cluster.read(file))).toBe(sha256(ALL));
  });

  it("takes the bytes of a file that arrives for longer than a day: it is refused, and its URL stays open", async () => {
    const cluster = await receivers();
    const { url, file } = await cluster.address({ expires_in: 7 * 86_400 });
    const slow = slowFile();
    const stored = cluster.first.stepwell.files.receive(url, { name: "slow", body: slow.body });
    await cluster.until(async () => (await cluster.items()) > 0);
    cluster.leap(25 * HOUR_MS);
    await cluster.start("sweeper");
    await cluster.until(async () => (await cluster.items()) === 0);
    slow.goOn();
    await expect(cluster.settled(stored)).rejects.toMatchObject({
      code: "request_timeout",
      message: expect.stringContaining("longer than a day"),
    });
    const again = await cluster.second.stepwell.files.receive(url, { name: "quick", body: ALL });
    expect(again.id).toBe(file);
    expect(sha256(await cluster.read(file))).toBe(sha256(ALL));
  });

  it("takes what a dead process left, after a day", async () => {
    const cluster = await receivers();
    const { url } = await cluster.address();
    const { body } = slowFile();
    void cluster.first.stepwell.files.receive(url, { name: "lost", body });
    await cluster.until(async () => (await cluster.items()) > 0);
    cluster.first.kill();
    await cluster.clock.advance("20s");
    expect(await cluster.items()).toBeGreaterThan(0);
    cluster.leap(25 * HOUR_MS);
    await cluster.start("sweeper");
    await cluster.until(async () => (await cluster.items()) === 0);
  });

  it("by two processes at once takes each orphan once and no file", async () => {
    const cluster = await receivers();
    const [kept, lost] = [await cluster.address(), await cluster.address()];
    await cluster.second.stepwell.files.receive(kept.url, { name: "kept", body: ALL });
    const own = await cluster.items();
    void cluster.first.stepwell.files.receive(lost.url, { name: "lost", body: slowFile().body });
    await cluster.until(async () => (await cluster.items()) > own);
    cluster.first.kill();
    cluster.leap(25 * HOUR_MS);
    await Promise.all([cluster.start("one"), cluster.start("other")]);
    await cluster.until(async () => (await cluster.items()) === own);
    expect(sha256(await cluster.read(kept.file))).toBe(sha256(ALL));
    expect(cluster.warnings.filter((warning) => warning.includes("blob"))).toEqual([]);
  });

  it("never takes the bytes of a file, whichever of both comes first", async () => {
    const cluster = await receivers();
    const addresses = await Promise.all(Array.from({ length: 8 }, () => cluster.address({ expires_in: 7 * 86_400 })));
    const slow = addresses.map(() => slowFile());
    const stored = addresses.map(({ url }, index) =>
      cluster.first.stepwell.files.receive(url, { name: "slow", body: slow[index]?.body ?? ALL }).catch(() => null),
    );
    await cluster.until(async () => (await cluster.items()) >= 8);
    cluster.leap(25 * HOUR_MS);
    const sweeper = cluster.start("sweeper");
    // Each ends at another step of the sweep.
    for (const { goOn } of slow) {
      goOn();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await cluster.settled(Promise.all([sweeper, ...stored]));
    await cluster.clock.advance("5s");
    for (const [index, { file }] of addresses.entries()) {
      if ((await stored[index]) !== null) expect(sha256(await cluster.read(file))).toBe(sha256(ALL));
      else await expect(cluster.read(file)).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("whole files at two processes", () => {
  it.each(SHARED_BLOBS)(
    "for one URL: the first to end wins, and the other leaves nothing, on $name",
    async ({ open }) => {
      const cluster = await openReceivers(open());
      opened.push(cluster);
      const { url, file } = await cluster.address();
      const bodies = ["from the first", "from the second"];
      const answers = await cluster.settled(
        Promise.all(
          [cluster.first, cluster.second].map(({ stepwell }, index) =>
            post(stepwell, url, bytes(form(bodies[index] ?? "")), { "content-type": FORM }),
          ),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      const winner = bodies[answers.findIndex(({ status }) => status === 201)];
      expect(new TextDecoder().decode(await cluster.read(file))).toBe(winner);
      await cluster.until(async () => (await cluster.items()) === 1);
    },
  );
});
