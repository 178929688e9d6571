/** Rules and mappings one by one: the same documents and the same checks as in the `config` of a collection. */
import { beforeEach, expect, it } from "vitest";
import { type CallApi, describeEachTransport, type TestHost } from "../support/http/transports.ts";

const MAPPING = { source_path: "loan:amount", destination_paths: ["summary:amount"] };
const STRICT = [{ type: "input" as const, key: "start", input: { record: { type: "object" as const, fields: {} } } }];

describeEachTransport("rules and mappings", (open) => {
  let host: TestHost;
  let api: CallApi;
  let app: string;
  let collection: string;
  let workflow_id: string;

  beforeEach(async () => {
    host = open();
    api = host.callApi;
    app = (await host.app()).id;
    workflow_id = (await host.stepwell.workflows.create(app, { name: "Rule", steps: [] })).id;
    await host.stepwell.workflows.deploy(app, workflow_id);
    collection = (await api("collections.create", app, { name: "Loans" })).id;
  });

  const rule = (key: string, more: object = {}) => ({ key, name: key, workflow_id, ...more });
  const config = async () => (await api("collections.get", app, collection)).config;
  const keys = async () => (await config()).rules.map(({ key }: { key: string }) => key);
  const pointers = (call: Promise<unknown>) =>
    call.then(
      () => "accepted",
      ({ status, errors }) => `${status} ${errors.map(({ pointer }: { pointer: string }) => pointer).join()}`,
    );

  it("are those of the collection's config", async () => {
    const { config: given } = await api("collections.update", app, collection, { config: { rules: [rule("one")] } });
    const two = await api("rules.create", app, collection, rule("two", { on_fail: "FAIL", disabled: true }));
    expect((await config()).rules).toEqual([given.rules[0], two]);
    expect((await api("rules.list", app, collection)).items).toEqual([given.rules[0], two]);
    expect(await api("rules.list", app, collection, { page: 2, take: 1 })).toMatchObject({
      items: [two],
      ...{ more: false, total: 2 },
    });
    expect(await api("rules.get", app, collection, "two")).toEqual(two);
    const changed = await api("rules.update", app, collection, "two", { name: "Second", disabled: false });
    expect(changed).toEqual({ ...two, name: "Second", disabled: false });
    expect((await config()).rules).toEqual([given.rules[0], changed]);
    await api("rules.remove", app, collection, "one");
    expect(await keys()).toEqual(["two"]);
    expect(await api("mappings.put", app, collection, [MAPPING])).toEqual([MAPPING]);
    expect(await config()).toMatchObject({ rules: [changed], mappings: [MAPPING] });
    await api("collections.update", app, collection, { config: { mappings: [] } });
    expect(await api("mappings.get", app, collection)).toEqual([]);
  });

  it.each([".", ".."])("reject the key %s, which no URL can contain", async (key) => {
    expect(await pointers(api("rules.create", app, collection, rule(key)))).toBe("422 /key");
    await api("rules.create", app, collection, rule("one"));
    expect(await pointers(api("rules.update", app, collection, "one", { key }))).toBe("422 /key");
  });

  it("run and copy when a record is written", async () => {
    await api("rules.create", app, collection, rule("one"));
    await api("mappings.put", app, collection, [MAPPING]);
    const record = await api("records.create", app, collection, { data: { loan: { amount: 3 } } });
    expect(record.data).toEqual({ loan: { amount: 3 }, summary: { amount: 3 } });
    expect(record.rule_results).toMatchObject([{ key: "one" }]);
  });

  it("have keys of any characters, which can be changed", async () => {
    for (const key of ["a b/ü?#%2F", "constructor", "…"]) {
      await api("rules.create", app, collection, rule(key));
      expect(await api("rules.get", app, collection, key)).toMatchObject({ key });
      await api("rules.update", app, collection, key, { key: `${key} changed` });
      await expect(api("rules.get", app, collection, key)).rejects.toMatchObject({ status: 404 });
      await api("rules.remove", app, collection, `${key} changed`);
    }
    expect(await keys()).toEqual([]);
  });

  it("are refused with pointers relative to what was sent", async () => {
    await api("rules.create", app, collection, rule("one"));
    await api("rules.create", app, collection, rule("two"));
    const strict = await host.stepwell.workflows.create(app, { name: "Strict", steps: STRICT });
    await host.stepwell.workflows.deploy(app, strict.id);
    const create = (more: object) => pointers(api("rules.create", app, collection, rule("new", more)));
    const update = (changes: object) => pointers(api("rules.update", app, collection, "two", changes));
    expect(await create({ key: "one" })).toBe("422 /key");
    expect(await update({ key: "one" })).toBe("422 /key");
    expect(await create({ workflow_id: "work_none" })).toBe("422 /workflow_id");
    expect(await update({ workflow_id: strict.id })).toBe("422 /workflow_id");
    expect(await create({ workflow_use_latest: false })).toBe("422 /workflow_version_id");
    expect(await update({ workflow_use_latest: false })).toBe("422 /workflow_version_id");
    expect(await create({ step_key: "none" })).toBe("422 /step_key");
    expect(await update({ workflow_version_id: "workv_none" })).toBe("422 /workflow_version_id");
    expect(await update({ surprise: 1 })).toBe("422 /surprise");
    expect(await update({ name: null })).toBe("422 /name");
    const path = "0/destination_paths/0";
    const wrong = [{ source_path: "a:b", destination_paths: ["a"] }];
    expect(await pointers(api("mappings.put", app, collection, wrong))).toBe(`422 /${path}`);
    expect(await pointers(api("mappings.put", app, collection, {}))).toBe("422 ");
    expect(await keys()).toEqual(["one", "two"]);
    expect((await config()).mappings).toEqual([]);
  });

  it("take the version that an update names, and the latest again when it is removed", async () => {
    const { id: version } = await host.stepwell.workflows.getVersion(app, workflow_id, "latest");
    await api("rules.create", app, collection, rule("one", { step_key: undefined }));
    const update = (changes: object) => api("rules.update", app, collection, "one", changes);
    const fixed = { workflow_version_id: version, workflow_use_latest: false };
    expect(await update({ workflow_version_id: version })).toMatchObject(fixed);
    expect(await update({ name: "One" })).toMatchObject(fixed);
    const latest = await update({ workflow_version_id: null });
    expect(latest).toMatchObject({ workflow_use_latest: true });
    expect(latest).not.toHaveProperty("workflow_version_id");
  });

  it("are at most 500", async () => {
    const rules = Array.from({ length: 500 }, (_, index) => rule(`r${index}`, { disabled: true }));
    await api("collections.update", app, collection, { config: { rules } });
    expect(await pointers(api("rules.create", app, collection, rule("one more")))).toBe("422 ");
    await api("rules.remove", app, collection, "r7");
    await api("rules.create", app, collection, rule("one more"));
    expect(await keys()).toHaveLength(500);
  });

  it("are not found in another app, and cannot be changed in a deleted collection", async () => {
    await api("rules.create", app, collection, rule("one"));
    const other = (await host.app("Other")).id;
    for (const [operation, ...given] of [
      ["rules.create", rule("two")],
      ["rules.list"],
      ["rules.get", "one"],
      ["rules.update", "one", {}],
      ["rules.remove", "one"],
      ["mappings.get"],
      ["mappings.put", []],
    ] as const) {
      await expect(api(operation, other, collection, ...given), operation).rejects.toMatchObject({ status: 404 });
    }
    await expect(api("rules.get", app, collection, "two")).rejects.toMatchObject({ status: 404 });
    await api("collections.remove", app, collection);
    expect((await api("rules.list", app, collection)).items).toMatchObject([{ key: "one" }]);
    for (const [operation, ...given] of [
      ["rules.create", rule("two")],
      ["rules.update", "one", {}],
      ["rules.remove", "one"],
      ["mappings.put", []],
    ] as const) {
      await expect(api(operation, app, collection, ...given), operation).rejects.toMatchObject({ status: 404 });
    }
  });

  it("keep each other's changes when they are written at once", async () => {
    const all = Array.from({ length: 10 }, (_, index) => `r${index}`);
    await Promise.all([
      ...all.map((key) => api("rules.create", app, collection, rule(key))),
      api("mappings.put", app, collection, [MAPPING]),
    ]);
    expect((await keys()).sort()).toEqual(all);
    const twice = await Promise.allSettled([0, 1].map(() => api("rules.create", app, collection, rule("same"))));
    expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await config()).mappings).toEqual([MAPPING]);
  });
});
