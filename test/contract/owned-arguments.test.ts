/** What a caller in process passes, and what an action returns, is taken over at once: both may change their objects afterwards. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createStepwell, defineService } from "../../src/index.ts";
import type { JsonInput } from "../../src/json.ts";
import { silent } from "../support/storage/open.ts";

const returned: unknown[] = [];
const service = defineService({
  name: "made",
  actions: { give: { input: v.object({ n: v.any() }), output: v.any(), run: ({ n }) => returned.pop() ?? n } },
});
const give = (key: string) =>
  ({
    type: "service",
    key,
    service: { service: "made", action: "give", input: { n: "{{ input.customer }}" } },
  }) as const;

async function open() {
  const stepwell = createStepwell({ services: [service], logger: silent });
  const { id: app } = await stepwell.apps.create({ name: "A" });
  const { id: workflow } = await stepwell.workflows.create(app, {
    name: "W",
    steps: [
      { type: "input", key: "start", input: {}, destinations: ["a"] },
      { ...give("a"), destinations: ["b"] },
      give("b"),
    ],
  });
  await stepwell.workflows.deploy(app, workflow);
  return { stepwell, app, workflow };
}

describe("an argument", () => {
  it.each(["awaited", "not awaited"])("belongs to its call if the same object is passed again, %s", async (how) => {
    const { stepwell, app, workflow } = await open();
    const input: { customer?: { name: string } } = { customer: { name: "" } };
    const runs: ReturnType<typeof stepwell.runs.create>[] = [];
    for (const name of ["ada", "bob", "cy"]) {
      Object.assign(input.customer ?? {}, { name });
      const run = stepwell.runs.create(app, workflow, { input });
      runs.push(run);
      if (how === "awaited") await run;
    }
    delete input.customer;
    const ended = await Promise.all(runs.map(async (run) => stepwell.runs.wait(app, (await run).id)));
    expect(ended.map((run) => run.input)).toEqual(["ada", "bob", "cy"].map((name) => ({ customer: { name } })));
    expect(ended.map(({ output }) => output)).toEqual([{ name: "ada" }, { name: "bob" }, { name: "cy" }]);
    await stepwell.close();
  });

  it("is not changed through the result of its call", async () => {
    const { stepwell, app, workflow } = await open();
    const run = await stepwell.runs.create(app, workflow, { input: { customer: { name: "eve" } } });
    expect(() => Object.assign(run.input["customer"] ?? {}, { name: "mallory" })).toThrow("read only");
    const ended = await stepwell.runs.wait(app, run.id);
    expect([ended.input, ended.output]).toEqual([{ customer: { name: "eve" } }, { name: "eve" }]);
    await stepwell.close();
  });

  it.each([
    ["a getter that fails", Object.defineProperty({}, "a", { enumerable: true, get: () => fail() }), "/input/a"],
    ["a proxy that fails", { list: [0, new Proxy({}, { ownKeys: () => fail() })] }, "/input/list/1"],
    ["a date", { at: new Date(0) }, "/input/at"],
    ["a bigint that was a number when it was looked at first", changing(), "/input/a"],
  ])("that is %s is invalid, and says where", async (_, input, pointer) => {
    const { stepwell, app, workflow } = await open();
    const create = stepwell.runs.create(app, workflow, { input });
    await expect(create).rejects.toMatchObject({ code: "invalid", errors: [{ pointer }] });
    await stepwell.close();
  });
});

describe("what an action returns", () => {
  it("is what its step has, also if the action changes it later", async () => {
    const { stepwell, app, workflow } = await open();
    const kept = { list: [1] };
    returned.push({ n: 0 }, kept);
    const run = await stepwell.runs.create(app, workflow, { input: { customer: 1 } });
    await stepwell.runs.wait(app, run.id);
    kept.list.push(2);
    const { steps } = await stepwell.runs.get(app, run.id);
    expect(steps.find(({ key }) => key === "a")?.output).toEqual({ list: [1] });
    await stepwell.close();
  });

  it.each([
    ["has a getter that fails", () => Object.defineProperty({}, "a", { enumerable: true, get: () => fail() }), "/a"],
    [
      "has a getter that throws nothing",
      () => Object.defineProperty({}, "a", { enumerable: true, get: failWithNothing }),
      "/a",
    ],
    ["has a revoked proxy", revoked, "/r"],
    ["changes while it is read", () => changing(), "/a"],
  ])("fails its step if it %s", async (_, make, pointer) => {
    const { stepwell, app, workflow } = await open();
    returned.push(make());
    const run = await stepwell.runs.create(app, workflow, { input: { customer: 1 } });
    const { status, error } = await stepwell.runs.wait(app, run.id);
    expect([status, error]).toMatchObject(["failed", { code: "invalid_output" }]);
    expect(error?.message).toContain(pointer);
    await stepwell.close();
  });
});

function fail(): never {
  throw new Error("not loaded");
}

function failWithNothing(): never {
  throw undefined;
}

/** A value that is not JSON from the first time on: the check and the copy must see the same one. */
function changing(): object {
  let times = 0;
  return Object.defineProperty({}, "a", { enumerable: true, get: () => (times++ === 0 ? 10n : 1) });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return { r: proxy };
}

describe("objects that refer to the same ones, level after level", () => {
  /** As JSON, 2^40 values. */
  const endless = () => {
    let value: JsonInput = {};
    for (let level = 0; level < 40; level++) value = { left: value, right: value };
    return value;
  };

  it("are refused as an argument", async () => {
    const { stepwell, app, workflow } = await open();
    const refused = {
      code: "invalid",
      errors: [{ message: expect.stringMatching(/^Must not repeat the same objects/) }],
    };
    await expect(stepwell.runs.create(app, workflow, { input: { customer: endless() } })).rejects.toMatchObject(
      refused,
    );
    await expect(stepwell.workflows.create(app, Object(endless()))).rejects.toMatchObject(refused);
    await stepwell.close();
  });

  it("are refused as an output, which fails its step only", async () => {
    const { stepwell, app, workflow } = await open();
    returned.push(endless());
    const run = await stepwell.runs.create(app, workflow, { input: { customer: {} } });
    const ended = await stepwell.runs.wait(app, run.id);
    expect(ended).toMatchObject({ status: "failed", error: { code: "invalid_output" } });
    await stepwell.close();
  });
});

it("an argument of more than 64 Mi characters is refused, and one that is longer with its escape characters", async () => {
  const { stepwell, app, workflow } = await open();
  const create = (customer: string) => stepwell.runs.create(app, workflow, { input: { customer } });
  await expect(create("x".repeat(65 * 2 ** 20))).rejects.toMatchObject({
    code: "invalid",
    errors: [{ pointer: "/input/customer", message: "Must be at most 67,108,864 characters of JSON." }],
  });
  await expect(create("\u0001".repeat(60 * 2 ** 20))).rejects.toMatchObject({ code: "too_large" });
  await stepwell.close();
});
