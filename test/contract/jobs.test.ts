/** Jobs, and the evaluation of many records as one. */
import { beforeEach, expect, it } from "vitest";
import { BASE, type CallApi, describeEachTransport, type TestHost } from "../support/http/transports.ts";

describeEachTransport("jobs", (open) => {
  let host: TestHost;
  let api: CallApi;
  let app: { id: string; key: string };
  let collection: string;

  beforeEach(async () => {
    host = open();
    api = host.callApi;
    app = await host.app();
    const steps = [
      { type: "code" as const, key: "code", code: "if (input.record.data.e.n === 3) throw new Error('3')" },
    ];
    const { id } = await host.stepwell.workflows.create(app.id, { name: "Rule", steps });
    await host.stepwell.workflows.deploy(app.id, id);
    const rules = [{ key: "r", name: "R", workflow_id: id }];
    collection = (await api("collections.create", app.id, { name: "Loans", config: { rules } })).id;
  });

  const evaluate = (body: object = {}) => api("records.evaluateMany", app.id, collection, body);
  const get = (id: string) => api("jobs.get", app.id, id);
  async function waitForEnd(job: { id: string }) {
    await expect.poll(async () => (await get(job.id)).status).not.toBe("running");
    return get(job.id);
  }
  async function records(count: number, more: object = {}) {
    const created: { id: string }[] = [];
    for (let n = 0; n < count; n++) {
      created.push(await api("records.create", app.id, collection, { data: { e: { n } }, ...more }));
    }
    return created;
  }
  const runs = async () => {
    const { items } = await api("records.list", app.id, collection);
    return new Map<string, string>(
      items.map((one: { id: string; rule_results: { run_id: string }[] }) => [one.id, one.rule_results[0]?.run_id]),
    );
  };
  const changedSince = async (before: Map<string, string>) =>
    [...(await runs())].filter(([id, run]) => before.get(id) !== run).map(([id]) => id);

  it("evaluate all records, and report those on which a rule failed", async () => {
    const all = await records(25);
    const before = await runs();
    const job = await evaluate();
    const id = expect.stringMatching(/^job_[0-9a-z]{26}$/);
    const none = { failed: 0, problems: [] };
    expect(job).toMatchObject({ id, kind: "records.evaluate", status: "running", done: 0, total: 25, report: none });
    expect(Object.keys(job).sort()).toEqual(
      ["created_at", "done", "error", "expires_at", "finished_at", "id", "kind", "report", "status", "total"].sort(),
    );
    const after = await waitForEnd(job);
    const problem = { line: null, record_id: all[3]?.id, code: "code_failed", message: expect.stringContaining('"r"') };
    expect(after).toMatchObject({ status: "succeeded", done: 25, total: 25, error: null });
    expect(after.report).toEqual({ failed: 1, problems: [problem] });
    expect(Date.parse(after.expires_at) - Date.parse(after.finished_at)).toBe(30 * 86_400_000);
    expect(await changedSince(before)).toHaveLength(25);
  });

  it("evaluate records by tag, text or ids", async () => {
    const tag = await api("tags.create", app.id, { name: "tag" });
    const [tagged] = await records(1, { tags: [tag.id] });
    const plain = await records(3);
    const found = await api("records.create", app.id, collection, { data: { e: { name: "Ünique" } } });
    for (const [body, expected, total] of [
      [{ tags: [tag.id] }, [tagged?.id], 1],
      [{ search: "unique" }, [found.id], null],
      [{ tags: [tag.id], search: "unique" }, [], null],
      [{ ids: [plain[1]?.id, plain[1]?.id, "rec_0"] }, [plain[1]?.id], 2],
      [{ ids: [] }, [], 0],
      [{ tags: [] }, [], 0],
    ] as const) {
      const before = await runs();
      const job = await evaluate(body);
      expect(job.total).toBe(total);
      const after = await waitForEnd(job);
      expect(after.status).toBe("succeeded");
      expect(await changedSince(before), JSON.stringify(body)).toEqual(expected);
      const unknown = "ids" in body && body.ids.length > 0 ? [{ record_id: "rec_0", code: "not_found" }] : [];
      expect(after.report.problems).toMatchObject(unknown);
    }
  });

  it("evaluate the records that meet conditions on fields, results of rules and times, as a list finds them", async () => {
    const all = await records(5);
    const at = (...positions: number[]) => positions.map((position) => all[position]?.id).sort();
    const { updated_at } = await api("records.update", app.id, collection, all[4]?.id, { data: { e: { name: "x" } } });
    const before_last = new Date(Date.parse(updated_at) - 1).toISOString();
    for (const [body, expected] of [
      [{ filter: [{ field: "e:n", op: "gte", value: 2 }] }, at(2, 3, 4)],
      [{ filter: [{ field: "e:n", value: 2 }] }, at(2)],
      [
        {
          filter: [
            { field: "e:n", op: "lt", value: 4 },
            { field: "e:n", op: "in", value: [0, 4] },
          ],
        },
        at(0),
      ],
      [{ filter: [{ field: "e:name", op: "exists", value: true }], search: "x" }, at(4)],
      [{ filter: [{ field: "e:n", op: "gte", value: 0 }], search: "y" }, []],
      [{ filter: [{ field: "e:n", op: "gte", value: 0 }], tags: [] }, []],
      [{ rule_result: { r: "ERROR" } }, at(3)],
      [{ rule_result: { r: "PASS" } }, []],
      [{ updated_after: before_last, filter: [{ field: "e:n", op: "gt", value: 2 }] }, at(4)],
    ] as const) {
      const before = await runs();
      const job = await evaluate(body);
      expect(job.total).toBeNull();
      expect(await waitForEnd(job)).toMatchObject({ status: "succeeded", done: expected.length });
      expect((await changedSince(before)).sort(), JSON.stringify(body)).toEqual(expected);
    }
  });

  it("of an empty collection succeed", async () => {
    expect(await waitForEnd(await evaluate())).toMatchObject({ status: "succeeded", done: 0, total: 0 });
  });

  it("are listed newest first, by status, and canceled once", async () => {
    await records(2);
    const one = await evaluate();
    await waitForEnd(one);
    const two = await waitForEnd(await evaluate());
    expect((await api("jobs.list", app.id)).items).toMatchObject([{ id: two.id }, { id: one.id }]);
    expect((await api("jobs.list", app.id, { status: "succeeded", take: 1 })).items).toEqual([two]);
    expect((await api("jobs.list", app.id, { status: "running" })).items).toEqual([]);
    expect(await api("jobs.cancel", app.id, two.id)).toEqual(two);
  });

  it("are not found in another app", async () => {
    const job = await evaluate();
    const other = await host.app("Other");
    await expect(api("jobs.get", other.id, job.id)).rejects.toMatchObject({ status: 404 });
    await expect(api("jobs.cancel", other.id, job.id)).rejects.toMatchObject({ status: 404 });
    await expect(api("records.evaluateMany", other.id, collection, {})).rejects.toMatchObject({ status: 404 });
    expect((await api("jobs.list", other.id)).items).toEqual([]);
    await api("collections.remove", app.id, collection);
    await expect(evaluate()).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ["/ids", { ids: ["rec_1"], search: "a" }],
    ["/ids/1", { ids: ["rec_1", "../etc"] }],
    ["/ids", { ids: Array.from({ length: 1_001 }, (_, index) => `rec_${index}`) }],
    ["/tags/0", { tags: ["tag_none"] }],
    ["/search", { search: 1 }],
    ["/where", { where: 1 }],
    ["/ids", { ids: ["rec_1"], filter: [{ field: "e:n", value: 1 }] }],
    ["/ids", { ids: ["rec_1"], updated_after: "2026-01-01T00:00:00Z" }],
    ["/filter/0/field", { filter: [{ field: "n", value: 1 }] }],
    ["/filter/0/value", { filter: [{ field: "e:n", op: "in", value: 1 }] }],
    ["/filter", { filter: Array(11).fill({ field: "e:n", value: 1 }) }],
    ["/rule_result/r", { rule_result: { r: "MAYBE" } }],
    ["/updated_after", { updated_after: "yesterday" }],
    ["/sort", { sort: "e:n" }],
  ])("are refused at %s", async (pointer, body) => {
    await expect(evaluate(body)).rejects.toMatchObject({ status: 422, errors: [{ pointer }] });
    expect((await api("jobs.list", app.id)).items).toEqual([]);
  });

  it("answer 202 with their address, to a key with the scopes for it", async () => {
    const { id, key } = app;
    const post = async (path: string, scopes?: ("collections:write" | "jobs:read")[]) => {
      const limited = scopes === undefined ? key : (await host.stepwell.keys.create(id, { name: "k", scopes })).key;
      const init = {
        method: path.endsWith("evaluate") ? "POST" : "GET",
        headers: { authorization: `Bearer ${limited}` },
      };
      return host.stepwell.fetch(new Request(path, init));
    };
    const response = await post(`${BASE}/apps/${id}/collections/${collection}/records/evaluate`);
    expect(response.status).toBe(202);
    const location = response.headers.get("location") ?? "";
    expect(location).toBe(`${BASE}/apps/${id}/jobs/${(await response.json()).id}`);
    expect((await post(location, ["jobs:read"])).status).toBe(200);
    expect((await post(location, ["collections:write"])).status).toBe(403);
  });
});
