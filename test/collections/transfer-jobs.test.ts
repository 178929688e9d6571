/** How imports end: their text is deleted, whatever ends them, and rows that are written stay. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openService } from "../support/engine/service.ts";
import { faultyDriver } from "../support/storage/faulty.ts";

let data: Map<string, string>;
let t: Awaited<ReturnType<typeof openService>>;
let loans: string;
beforeEach(async () => {
  data = new Map();
  t = await openService({ storage: { entities: faultyDriver(data, "rejects", 0).driver } });
  loans = (await t.stepwell.collections.create(t.app, { name: "Loans" })).id;
});
afterEach(() => t.stepwell.close());

const ROWS = 3_000;
const CSV = `e:n\n${Array.from({ length: ROWS }, (_, n) => `${n}\n`).join("")}`;

const blobs = () => [...data.keys()].filter((name) => name.startsWith("blob:"));
const start = (csv: string) => t.stepwell.records.import(t.app, loans, csv);
const get = (id: string) => t.stepwell.jobs.get(t.app, id);
const begun = (id: string) => expect.poll(async () => (await get(id)).done).toBeGreaterThan(0);

describe("the text of an import is deleted", () => {
  it("when it has succeeded", async () => {
    const { id } = await start("e:n\n1\n");
    await expect.poll(async () => (await get(id)).status).toBe("succeeded");
    await expect.poll(blobs).toEqual([]);
  });

  it("when it has failed", async () => {
    const { id } = await start("wrong\n1\n");
    await expect.poll(async () => (await get(id)).status).toBe("failed");
    await expect.poll(blobs).toEqual([]);
  });

  it("when it is canceled, and the rows that are written stay", async () => {
    const { id } = await start(CSV);
    await begun(id);
    expect(blobs()).not.toEqual([]);
    const { status, done } = await t.stepwell.jobs.cancel(t.app, id);
    expect(status).toBe("canceled");
    expect(blobs()).toEqual([]);
    const { total = 0 } = await t.stepwell.records.list(t.app, loans, { take: 1 });
    expect(total).toBe(done);
    expect(total).toBeLessThan(ROWS);
    await t.stepwell.close();
    expect([...data.keys()].filter((key) => key.startsWith("import-row:"))).toEqual([]);
  });

  it("when it has succeeded after a cancellation that the storage refused", async () => {
    await t.stepwell.close();
    let isFailing = false;
    const { driver } = faultyDriver(data, "rejects", 0);
    const entities: typeof driver = {
      ...driver,
      async setItem(...given) {
        if (isFailing) throw new Error("the disk is full");
        return driver.setItem?.(...given);
      },
    };
    t = await openService({ storage: { entities } }, t.app);
    const { id } = await start(CSV);
    await begun(id);
    const ended = t.stepwell.jobs.wait(t.app, id);
    isFailing = true;
    await expect(t.stepwell.jobs.cancel(t.app, id)).rejects.toMatchObject({ code: "unavailable" });
    isFailing = false;
    // Nobody asks for the job meanwhile.
    await expect.poll(async () => (await t.stepwell.records.list(t.app, loans, { take: 1 })).total).toBe(ROWS);
    expect(await ended).toMatchObject({ status: "succeeded", done: ROWS, report: { failed: 0 } });
    await expect.poll(blobs).toEqual([]);
  });

  it("when its collection is deleted, which fails it", async () => {
    const { id } = await start(CSV);
    await begun(id);
    await t.stepwell.collections.remove(t.app, loans);
    await expect.poll(async () => (await get(id)).status).toBe("failed");
    expect((await get(id)).error?.code).toBe("not_found");
    await expect.poll(blobs).toEqual([]);
  });

  it("when its app is deleted", async () => {
    const { id } = await start(CSV);
    await begun(id);
    await t.stepwell.apps.remove(t.app);
    await expect.poll(blobs).toEqual([]);
  });

  it("when its body fails", async () => {
    async function* body() {
      yield new TextEncoder().encode("e:n\n".repeat(100_000));
      throw new Error("no more");
    }
    await expect(t.stepwell.records.import(t.app, loans, body())).rejects.toThrow("no more");
    expect(blobs()).toEqual([]);
    const abort = { signal: AbortSignal.abort(new Error("enough")) };
    await expect(t.stepwell.records.import(t.app, loans, "e:n\n1\n", abort)).rejects.toThrow("enough");
    expect(blobs()).toEqual([]);
  });
});
