/** An upload URL accepts one whole file, and failed uploads do not use it up. */
import memoryDriver from "unstorage/drivers/memory";
import { describe, expect, it } from "vitest";
import { bytes, createService, FORM, form, outcome, post, type Service, streamOf } from "../support/files/service.ts";
import { memoryStorage } from "../support/storage/drivers.ts";

/** A body whose connection breaks after this text. */
function brokenAfter(text: string): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new Error("the client has gone"));
      else controller.enqueue(bytes(text));
      sent = true;
    },
  });
}

async function read(service: Service, fileId: string): Promise<string> {
  return (await service.call(`/files/${fileId}/content`)).text();
}

describe("an upload URL", () => {
  it("accepts exactly one of 50 concurrent files and stores it completely", async () => {
    const service = await createService();
    const { upload_url, future_file_id } = await service.address();
    const texts = Array.from({ length: 50 }, (_, index) => `${index}:`.padEnd(300, String(index % 10)));
    const answers = await Promise.all(texts.map(async (text) => outcome(await post(service, upload_url, form(text)))));
    const winner = answers.indexOf("201");
    expect(answers.filter((answer) => answer === "201")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "409 upload_used")).toHaveLength(49);
    expect(await read(service, future_file_id)).toBe(texts[winner]);
    expect(await service.blocks()).toBe(Math.ceil(300 / 64));
    expect(await (await service.call("/files")).json()).toHaveLength(1);
  });

  it("returns 409 upload_used afterwards, including for file_url", async () => {
    const service = await createService();
    const { upload_url } = await service.address();
    await post(service, upload_url, form("one"));
    const json = { "content-type": "application/json" };
    expect(await outcome(await post(service, upload_url, form("two")))).toBe("409 upload_used");
    expect(await outcome(await post(service, upload_url, '{"file_url":"http://a.test/"}', json))).toBe(
      "409 upload_used",
    );
    expect(await (await service.fetch(new Request(upload_url))).json()).toMatchObject({ status: "used" });
  });

  it("stays usable when the sender disconnects", async () => {
    const service = await createService();
    const { upload_url, future_file_id } = await service.address();
    const half = form("x".repeat(1_000)).slice(0, 600);
    expect(await outcome(await post(service, upload_url, brokenAfter(half)))).toBe("400 malformed");
    expect(await outcome(await post(service, upload_url, brokenAfter("--b")))).toBe("400 malformed");
    expect(await service.blocks()).toBe(0);
    expect((await post(service, upload_url, form("again"))).status).toBe(201);
    expect(await read(service, future_file_id)).toBe("again");
    expect(service.errors).toEqual([]);
  });

  it("stays usable when the request is aborted", async () => {
    const service = await createService();
    const { upload_url } = await service.address();
    const caller = new AbortController();
    function* pieces() {
      yield bytes(form("x".repeat(1_000)).slice(0, 600));
      caller.abort();
      yield bytes("x");
    }
    const response = await post(service, upload_url, streamOf(pieces()), { "content-type": FORM }, caller.signal);
    expect(response.status).not.toBe(201);
    expect(await service.blocks()).toBe(0);
    expect((await post(service, upload_url, form("again"))).status).toBe(201);
  });

  it("returns 410 upload_expired once it expires", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const service = await createService({ now: () => now });
    const { upload_url, expires_at } = await service.address({ expires_in: 60 });
    expect(expires_at).toBe("2026-01-01T00:01:00.000Z");
    now += 59_999;
    expect(await (await service.fetch(new Request(upload_url))).json()).toMatchObject({ status: "open" });
    now += 1;
    expect(await outcome(await post(service, upload_url, form("x")))).toBe("410 upload_expired");
    expect(await (await service.fetch(new Request(upload_url))).json()).toMatchObject({ status: "expired" });
  });

  it("finishes an upload that began before it expired", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const service = await createService({ now: () => now });
    const { upload_url } = await service.address({ expires_in: 60 });
    function* pieces() {
      const body = bytes(form("x".repeat(1_000)));
      yield body.slice(0, 500);
      now += 3_600_000;
      yield body.slice(500);
    }
    expect((await post(service, upload_url, streamOf(pieces()))).status).toBe(201);
  });

  it.each(["fupl_", "fupl_x", `fupl_${"0".repeat(32)}`, "afile_1", "..%2f..%2fetc", "%00", "__proto__"])(
    "returns 404 for an unknown id: %s",
    async (id) => {
      const service = await createService();
      const { upload_url } = await service.address();
      const url = upload_url.replace(/fupl_.*/, id);
      expect(await outcome(await post(service, url, form("x")))).toBe("404 not_found");
      expect(await outcome(await service.fetch(new Request(url)))).toBe("404 not_found");
    },
  );
});

describe("a failing storage", () => {
  /** A process never starts within the last millisecond of the one before. */
  const NOW = Date.UTC(2030, 0, 1);

  /** A driver whose nth write of bytes fails. */
  function failing(n: number) {
    const driver = memoryDriver();
    let writes = 0;
    const setItemRaw: typeof driver.setItemRaw = (...given) => {
      if (++writes === n) throw new Error("disk full");
      return driver.setItemRaw?.(...given);
    };
    return { ...driver, setItemRaw };
  }

  it.each([1, 2, 3, 5])("returns 503 at block %i, keeps the upload URL usable and leaves no bytes", async (n) => {
    const service = await createService({ blobs: failing(n) });
    const { upload_url, future_file_id } = await service.address();
    const text = "x".repeat(300);
    expect(await outcome(await post(service, upload_url, form(text)))).toBe("503 unavailable");
    expect(await service.blocks()).toBe(0);
    expect((await post(service, upload_url, form(text))).status).toBe(201);
    expect(await read(service, future_file_id)).toBe(text);
  });

  it("leaves bytes that cannot be deleted to the sweep at the next start", async () => {
    const drivers = { entities: memoryStorage().open(), blobs: memoryDriver() };
    let broken = true;
    const blobs = {
      ...drivers.blobs,
      removeItem: async (key: string) => {
        if (broken) throw new Error("read-only");
        return drivers.blobs.removeItem?.(key, {});
      },
    };
    const before = await createService({ entities: drivers.entities, blobs, now: () => NOW });
    const { upload_url, future_file_id } = await before.address({ max_size: 100 });
    await post(before, upload_url, form("x".repeat(101)));
    await post(before, upload_url, streamOf([bytes(form("y".repeat(150)).slice(0, 160)), bytes("")]));
    const kept = await before.address();
    await post(before, kept.upload_url, form("kept"));
    await post(before, upload_url, form("removed"));
    expect((await before.call(`/files/${future_file_id}`, { method: "DELETE" })).status).toBe(204);
    expect(await before.blocks()).toBeGreaterThan(1);
    await before.store.close();

    broken = false;
    const after = await createService({ entities: drivers.entities, blobs, app: before.app, now: () => NOW + 1_000 });
    await after.orphanBlobs.sweep();
    expect(await after.blocks()).toBe(1);
    expect(await read(after, kept.future_file_id)).toBe("kept");
  });

  it("loses no bytes that are being written during a sweep", async () => {
    const service = await createService();
    const { uploads, orphanBlobs } = service;
    const { upload_url, future_file_id } = await service.address();
    async function* body() {
      yield bytes("x".repeat(200));
      await orphanBlobs.sweep();
      yield bytes("y".repeat(200));
    }
    await uploads.receive(upload_url.split("/").at(-1) ?? "", { body: body() });
    expect(await read(service, future_file_id)).toBe("x".repeat(200) + "y".repeat(200));
  });

  it("leaves the bytes of a killed process to the sweep of the next one", async () => {
    const entities = memoryStorage().open();
    const blobs = memoryDriver();
    const killed = await createService({ entities, blobs, now: () => NOW });
    const { upload_url, future_file_id } = await killed.address();
    let reached: () => void = () => undefined;
    const received = new Promise<void>((resolve) => {
      reached = resolve;
    });
    async function* body() {
      yield bytes("x".repeat(500));
      reached();
      await new Promise(() => undefined); // never settles, like a killed process
    }
    void killed.uploads.receive(upload_url.split("/").at(-1) ?? "", { body: body() });
    await received;
    expect(await killed.blocks()).toBeGreaterThan(0);
    await killed.store.close();

    const next = await createService({ entities, blobs, app: killed.app, now: () => NOW + 1_000 });
    await next.orphanBlobs.sweep();
    expect(await next.blocks()).toBe(0);
    expect((await post(next, upload_url, form("again"))).status).toBe(201);
    expect(await read(next, future_file_id)).toBe("again");
  });
});
