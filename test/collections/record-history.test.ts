/** The history of records: entries, versions, deletion, and what remains. */
import { describe, expect, it } from "vitest";
import { createTestClock, createTestService } from "../../src/testing/index.ts";
import { openService } from "../support/engine/service.ts";
import { describeEachTransport, type Refusal, type TestHost } from "../support/http/transports.ts";
import { faultyDriver } from "../support/storage/faulty.ts";

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "",
    (error: Refusal) => [error.code, ...error.errors.map(({ pointer }) => pointer)].join(" "),
  );
}

async function collectionIn(host: TestHost) {
  const app = await host.app();
  const { id } = await host.callApi("collections.create", app.id, { name: "Loans" });
  return { app: app.id, id: String(id) };
}

describeEachTransport("the history of a record", (open) => {
  it("has an entry for its creation, each change and its deletion, newest first", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const tag = await callApi("tags.create", app, { name: "Urgent" });
    const record = await callApi("records.create", app, id, { data: { a: { b: 1, c: [2] } } });
    await callApi("records.update", app, id, record.id, { data: { a: { b: 1 } } });
    await callApi("records.update", app, id, record.id, { data: { a: { b: 3, c: null }, d: { e: "f" } } });
    await callApi("records.update", app, id, record.id, { tags: [tag.id] });
    await callApi("records.remove", app, id, record.id);
    const who = host.overHttp ? { type: "key", key_id: expect.stringMatching(/^key_/) } : { type: "in_process" };
    const common = { who, when: instant, changes_truncated: false };
    const history = await callApi("records.history", app, id, record.id);
    expect(history.total).toBe(4);
    expect(history.items).toEqual([
      {
        ...common,
        version: 4,
        type: "deleted",
        changes: [
          { path: "a:b", before: 3, after: null },
          { path: "d:e", before: "f", after: null },
        ],
        tags: { before: [tag.id], after: [] },
      },
      { ...common, version: 3, type: "updated", changes: [], tags: { before: [], after: [tag.id] } },
      {
        ...common,
        version: 2,
        type: "updated",
        changes: [
          { path: "a:b", before: 1, after: 3 },
          { path: "d:e", before: null, after: "f" },
          { path: "a:c", before: [2], after: null },
        ],
        tags: null,
      },
      {
        ...common,
        version: 1,
        type: "created",
        changes: [
          { path: "a:b", before: null, after: 1 },
          { path: "a:c", before: null, after: [2] },
        ],
        tags: null,
      },
    ]);
    const of = async (version: number) => (await callApi("records.get", app, id, record.id, { version })).data;
    expect(await of(1)).toEqual({ a: { b: 1, c: [2] } });
    expect(await of(2)).toEqual({ a: { b: 3 }, d: { e: "f" } });
    expect(await callApi("records.get", app, id, record.id, { version: 3 })).toMatchObject({ version: 3, tags: [tag] });
    expect(await refusal(callApi("records.get", app, id, record.id, { version: 4 }))).toBe("not_found");
    expect(await refusal(callApi("records.get", app, id, record.id))).toBe("not_found");
    expect((await callApi("collections.get", app, id)).records_count).toBe(0);
  });

  it("has the creation of a record that never changed, also once it is deleted", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const long = "x".repeat(10_000);
    const record = await callApi("records.create", app, id, { data: { a: { b: 1, long } } });
    const { items, total } = await callApi("records.history", app, id, record.id);
    expect(total).toBe(1);
    const changes = [
      { path: "a:b", before: null, after: 1 },
      { path: "a:long", before: null },
    ];
    expect(items).toMatchObject([{ version: 1, type: "created", when: record.created_at, changes }]);
    expect((await callApi("records.get", app, id, record.id, { version: 1 })).data).toEqual({ a: { b: 1, long } });
    await callApi("records.remove", app, id, record.id);
    const after = await callApi("records.history", app, id, record.id);
    expect(after.items.slice(1)).toEqual(items);
    expect((await callApi("records.get", app, id, record.id, { version: 1 })).data).toEqual({ a: { b: 1, long } });
  });

  it("returns every version, even after changes too large for an entry, and pages by token", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const expected: object[] = [];
    const { id: record } = await callApi("records.create", app, id, { data: {} });
    expected.push({});
    const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, field) => [`field ${field}`, "x".repeat(40)]));
    for (let version = 2; version <= 120; version++) {
      let data: object = { a: { [`f${version % 7}`]: version } };
      if (version % 20 === 0) data = { a: { text: "x".repeat(10_000 + version) } };
      if (version === 33) data = { wide };
      if (version === 34) data = { wide: null };
      expected.push((await callApi("records.update", app, id, record, { data })).data);
    }
    for (let version = 1; version <= 120; version++) {
      const found = await callApi("records.get", app, id, record, { version });
      expect(found.data, `version ${version}`).toEqual(expected[version - 1]);
    }
    const versions: number[] = [];
    let token: string | undefined;
    do {
      const page = await callApi("records.history", app, id, record, { take: 50, page_token: token });
      for (const { version } of page.items) versions.push(version);
      token = page.next_page_token;
      if (versions.length === 50) await callApi("records.update", app, id, record, { data: { late: { late: 1 } } });
    } while (token !== undefined);
    expect(versions).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index));
    const second = await callApi("records.history", app, id, record, { take: 10, page: 2 });
    expect(second.items.map(({ version }: { version: number }) => version)[0]).toBe(111);
    const [large] = (await callApi("records.history", app, id, record, { take: 1, page_token: "version_33" })).items;
    expect(large).toMatchObject({ version: 33, changes_truncated: true });
    expect(JSON.stringify(large).length).toBeLessThan(200_000);
    const [text] = (await callApi("records.history", app, id, record, { take: 1, page_token: "version_40" })).items;
    expect(text.changes).toEqual([{ path: "a:text" }]);
  });

  it("refuses records of other apps and collections, unknown versions and tokens", async () => {
    const host = open();
    const { callApi } = host;
    const { app, id } = await collectionIn(host);
    const other = await collectionIn(host);
    const record = await callApi("records.create", app, id, {});
    await callApi("records.remove", app, id, record.id);
    expect(await refusal(callApi("records.history", other.app, other.id, record.id))).toBe("not_found");
    expect(await refusal(callApi("records.history", app, other.id, record.id))).toBe("not_found");
    expect(await refusal(callApi("records.history", app, id, "rec_none"))).toBe("not_found");
    const of = (query: object) => refusal(callApi("records.history", app, id, record.id, query));
    expect(await of({ page_token: "other_1" })).toBe("invalid /page_token");
    expect(await of({ take: 1_001 })).toBe("invalid /take");
    expect(await of({ page_token: "version_999999999999999" })).toBe("");
    const version = (given: unknown) => refusal(callApi("records.get", app, id, record.id, { version: given }));
    expect(await version(0)).toBe("invalid /version");
    expect(await version(3)).toBe("not_found");
    expect(await version(999_999_999_999_999)).toBe("not_found");
  });
});

describe("the history", () => {
  it("keeps the last 1,000 versions", async () => {
    const t = await createTestService();
    const { id } = await t.stepwell.collections.create(t.app, { name: "Loans" });
    const record = await t.stepwell.records.create(t.app, id, {});
    for (let n = 2; n <= 1_102; n++) {
      await t.stepwell.records.update(t.app, id, record.id, { data: { a: { n } } });
    }
    const { total } = await t.stepwell.records.history(t.app, id, record.id);
    expect(total).toBe(1_002);
    const version = (n: number) => t.stepwell.records.get(t.app, id, record.id, { version: n });
    expect((await version(101)).data).toEqual({ a: { n: 101 } });
    expect((await version(1_060)).data).toEqual({ a: { n: 1_060 } });
    await expect(version(100)).rejects.toThrow("Stored versions: 101 to 1102.");
    await t.close();
  });

  it("of a deleted record can be read for 30 days", async () => {
    const data = new Map<string, string>();
    const open = (day: string, app?: string) => {
      const { driver } = faultyDriver(data, "rejects", 0);
      return openService({ storage: { entities: driver }, clock: createTestClock(`2030-${day}T00:00:00.000Z`) }, app);
    };
    const first = await open("01-01");
    const { app } = first;
    const { id } = await first.stepwell.collections.create(app, { name: "Loans" });
    const record = await first.stepwell.records.create(app, id, { data: { a: { b: 1 } } });
    await first.stepwell.records.remove(app, id, record.id);
    await first.stepwell.close();
    const second = await open("01-30", app);
    expect((await second.stepwell.records.history(app, id, record.id)).items).toHaveLength(2);
    await second.stepwell.close();
    const third = await open("02-01", app);
    await expect.poll(() => refusal(third.stepwell.records.history(app, id, record.id))).toBe("not_found");
    await third.stepwell.close();
  });

  it("names the step that wrote, and the rule if its run changed the record itself", async () => {
    const t = await createTestService();
    const place = { collection_id: "{{ input.record.collection_id }}", record_id: "{{ input.record.id }}" };
    const workflow = await t.stepwell.workflows.create(t.app, {
      name: "Corrects",
      steps: [
        { type: "input", key: "start", input: {}, destinations: ["correct"] },
        {
          type: "service",
          key: "correct",
          service: { service: "records", action: "update", input: { ...place, data: { a: { b: 2 } } } },
        },
      ],
    });
    await t.stepwell.workflows.deploy(t.app, workflow.id);
    const rules = [{ key: "corrects", name: "Corrects", workflow_id: workflow.id }];
    const { id } = await t.stepwell.collections.create(t.app, { name: "Loans", config: { rules } });
    const record = await t.stepwell.records.create(t.app, id, { data: { a: { b: 1 } } });
    const [newest] = (await t.stepwell.records.history(t.app, id, record.id)).items;
    expect(newest).toMatchObject({
      version: 2,
      who: { type: "step", run_id: expect.stringMatching(/^run_/), step_key: "correct", rule_key: "corrects" },
    });
    await t.close();
  });
});
