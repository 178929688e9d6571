/** What a run was started by, its tags and metadata, lists filtered by them, and the deletion of runs. */
import { expect, it } from "vitest";
import type { Page, Run, RunSummary, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { createTestHost, describeEachTransport, refusal } from "../support/http/transports.ts";
import { createRunFixture, give, HANG, IN, options } from "../support/workflows/runs.ts";

describeEachTransport("runs", (open) => {
  it("keep their tags and metadata, which expressions see", async () => {
    const { callApi, appId, deploy, wait } = await createRunFixture(open(options));
    const show: Step = {
      ...{ type: "branch", key: "b", else: [] },
      conditions: {
        yes: {
          condition: 'run.tags == ["a", "b c"] && run.metadata.order == 7 && run.trigger.type == "api"',
          destinations: [],
          order: 0,
        },
      },
    };
    const workflow = await deploy([IN, show]);
    const labels = { tags: ["a", " b c ", "a"], metadata: { order: 7, paid: true, who: "Ada" } };
    const { id }: Run = await callApi("runs.create", appId, workflow, labels);
    const run = await wait(id);
    expect(run).toMatchObject({ output: { taken: "yes" }, tags: ["a", "b c"], metadata: labels.metadata });
    const again: Run = await callApi("runs.replay", appId, id);
    expect(again).toMatchObject({ tags: run.tags, metadata: run.metadata, trigger: { type: "replay", id } });
  });

  it.each<[string, object, string]>([
    ["a tag with a comma", { tags: ["a,b"] }, "/tags/0"],
    ["an empty tag", { tags: [" "] }, "/tags/0"],
    ["17 tags", { tags: Array.from({ length: 17 }, (_, n) => `t${n}`) }, "/tags"],
    ["nested metadata", { metadata: { a: { b: 1 } } }, "/metadata/a"],
    ["17 keys", { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, n])) }, "/metadata"],
    ["a long value", { metadata: { a: "x".repeat(257) } }, "/metadata/a"],
  ])("reject %s", async (_, labels, pointer) => {
    const { callApi, appId, deploy } = await createRunFixture(open(options));
    const workflow = await deploy([IN, give("a")]);
    expect(await refusal(callApi("runs.create", appId, workflow, labels))).toBe(`422 invalid ${pointer}`);
  });

  it("are listed by each filter, by all of them, and in both orders", async () => {
    const { callApi, appId, deploy, wait } = await createRunFixture(open(options));
    const [one, two] = [
      await deploy([IN, give("a")]),
      await deploy([IN, { ...give("b"), code: "fail" } as typeof HANG]),
    ];
    const made: Run[] = [];
    for (const [workflow, labels] of [
      [one, { tags: ["x"], metadata: { n: 1, "a=b": "c" } }],
      [one, { tags: ["x", "y"], metadata: { n: 2, a: "b=c" } }],
      [two, { tags: ["y"] }],
    ] as const) {
      const { id }: Run = await callApi("runs.create", appId, workflow, labels);
      made.push(await wait(id));
    }
    const replayed: Run = await callApi("runs.replay", appId, made[0]?.id ?? "");
    made.push(await wait(replayed.id));
    const found = async (query: object): Promise<number[]> => {
      const { items, total }: Page<RunSummary> = await callApi("runs.list", appId, query);
      expect(total).toBe(items.length);
      return items.map(({ id }) => made.findIndex((run) => run.id === id));
    };
    expect(await found({})).toEqual([3, 2, 1, 0]);
    expect(await found({ order: "asc" })).toEqual([0, 1, 2, 3]);
    expect(await found({ status: "failed" })).toEqual([2]);
    expect(await found({ status: ["failed", "succeeded"] })).toEqual([3, 2, 1, 0]);
    expect(await found({ status: "failed,canceled" })).toEqual([2]);
    expect(await found({ workflow_id: two })).toEqual([2]);
    expect(await found({ version: 1 })).toEqual([3, 2, 1, 0]);
    expect(await found({ version: 2 })).toEqual([]);
    expect(await found({ trigger: "replay" })).toEqual([3]);
    expect(await found({ tags: "y" })).toEqual([2, 1]);
    expect(await found({ tags: [" y "] })).toEqual([2, 1]);
    expect(await found({ tags: ["x", "y"], status: "succeeded", order: "asc" })).toEqual([0, 1, 3]);
    expect(await found({ created_after: made[0]?.created_at })).toEqual([3, 2, 1, 0]);
    expect(await found({ created_before: made[0]?.created_at })).toEqual([]);
    expect(await found({ created_after: "2000-01-01T00:00:00Z", created_before: "2001-01-01T00:00:00Z" })).toEqual([]);
    expect(await found({ parent_run_id: "run_00000000000000000000000000" })).toEqual([]);
    expect(await refusal(callApi("runs.list", appId, { trigger: "magic" }))).toBe("422 invalid /trigger/0");
    expect(await refusal(callApi("runs.list", appId, { order: "up" }))).toBe("422 invalid /order");
    expect(await refusal(callApi("runs.list", appId, { created_after: "today" }))).toBe("422 invalid /created_after");
    expect(await refusal(callApi("runs.list", appId, { workflow_id: "work_nope" }))).toBe("404 not_found");
    expect(made[0]?.trigger.type).toBe("api");
  });

  it("are deleted once they have ended", async () => {
    const { callApi, appId, deploy, wait } = await createRunFixture(open(options));
    const workflow = await deploy([
      IN,
      { ...give("big"), code: `give ${JSON.stringify("x".repeat(50_000))}` } as typeof HANG,
    ]);
    const { id }: Run = await callApi("runs.create", appId, workflow, { tags: ["x"] });
    await wait(id);
    await callApi("runs.remove", appId, id);
    expect(await refusal(callApi("runs.get", appId, id))).toBe("404 not_found");
    expect(await refusal(callApi("runs.remove", appId, id))).toBe("404 not_found");
    expect((await callApi("runs.list", appId, { tags: "x" })).items).toEqual([]);
    const hanging: Run = await callApi("runs.create", appId, await deploy([IN, HANG]));
    expect(await refusal(callApi("runs.remove", appId, hanging.id))).toBe("409 conflict");
    await callApi("runs.cancel", appId, hanging.id);
    await callApi("runs.remove", appId, hanging.id);
    expect((await callApi("runs.list", appId)).total).toBe(0);
  });
});

it("filters by metadata in a URL name the parameter in an error", async () => {
  const { appId, key, stepwell, deploy, wait } = await createRunFixture(createTestHost(true, options));
  const workflow = await deploy([IN, give("a")]);
  const ids: string[] = [];
  for (const metadata of [
    { order: 7, "a=b": "c" },
    { order: 8, a: "b=c" },
  ]) {
    ids.push((await stepwell.runs.create(appId, workflow, { metadata })).id);
  }
  for (const id of ids) await wait(id);
  const get = async (query: string) => {
    const url = `http://host/apps/${appId}/runs?${query}`;
    return stepwell.fetch(new Request(url, { headers: { authorization: `Bearer ${key}` } }));
  };
  const idsOf = async (query: string) => ((await (await get(query)).json()) as RunSummary[]).map(({ id }) => id);
  expect(await idsOf("metadata[order]=7")).toEqual([ids[0]]);
  expect(await idsOf("metadata%5Ba%3Db%5D=c")).toEqual([ids[0]]);
  expect(await idsOf("metadata[a]=b%3Dc")).toEqual([ids[1]]);
  expect(await idsOf("metadata[order]=8&metadata[a]=c")).toEqual([]);
  const wrong = await get("metadata[a]=1&metadata[a]=2");
  expect(wrong.status).toBe(422);
  expect(await wrong.json()).toMatchObject({ errors: [{ pointer: "/metadata[a]" }] });
  const many = await get([1, 2, 3, 4, 5].map((n) => `metadata[k${n}]=1`).join("&"));
  expect(await many.json()).toMatchObject({ errors: [{ pointer: "/metadata" }] });
});

it("a child run says which run started it, and is deleted only after that one has ended", async () => {
  const { appId, stepwell, deploy, wait } = await createRunFixture(createTestHost(false, options));
  const child = await deploy([IN, give("a")]);
  const parent = await deploy([IN, { type: "workflow", key: "child", input: null, workflow_id: child }, HANG]);
  const { id } = await stepwell.runs.create(appId, parent);
  await expect.poll(async () => (await stepwell.runs.get(appId, id)).steps[1]?.status).toBe("succeeded");
  const [found] = (await stepwell.runs.list(appId, { parent_run_id: id })).items;
  expect(found).toMatchObject({ trigger: { type: "workflow", id }, workflow_id: child });
  await expect(stepwell.runs.remove(appId, found?.id ?? "")).rejects.toMatchObject({ code: "conflict" });
  await stepwell.runs.cancel(appId, id);
  await wait(id);
  await stepwell.runs.remove(appId, found?.id ?? "");
  await stepwell.runs.remove(appId, id);
});

it("a schedule and a rule say that they started a run", async () => {
  const clock = createTestClock();
  const { app, deploy, stepwell } = await timedService(clock);
  const workflow = await deploy([IN]);
  const schedule = await stepwell.schedules.create(app, { workflow_id: workflow, every: 60, key: "s" });
  const started = (trigger: "schedule" | "rule") => stepwell.runs.list(app, { trigger }).then(({ items }) => items);
  await clock.advance("61s");
  await expect.poll(() => started("schedule")).toHaveLength(1);
  expect((await started("schedule"))[0]?.trigger).toEqual({ type: "schedule", id: schedule.id });
  const rules = [{ name: "R", key: "r", workflow_id: workflow }];
  const collection = await stepwell.collections.create(app, { name: "C", config: { rules } });
  const record = stepwell.records.create(app, collection.id, { data: { a: { b: 1 } } });
  await expect.poll(() => started("rule")).toHaveLength(1);
  expect((await started("rule"))[0]?.trigger).toEqual({ type: "rule", id: (await record).id });
});
