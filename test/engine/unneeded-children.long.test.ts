/** Child runs that their parent no longer needs are canceled, whichever write the process dies after. */
import { expect, it } from "vitest";
import type { Run, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import { fail, input, openService, scripted, to } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { expectIntact } from "../support/storage/expect-intact.ts";

type Child = Partial<Extract<Step, { type: "workflow" }>>;
type Data = Map<string, string>;

const open = async (data: Data, app?: string, written?: () => void) => {
  const clock = createTestClock();
  const entities = memory(data, written).driver;
  const sandbox = scripted({ slow: () => turnEventLoop(50) });
  return { ...(await openService({ clock, sandbox, storage: { entities } }, app)), clock };
};
const slow = (key: string, more: object = {}): Step => ({ type: "code", key, code: "slow", ...more });

type Opened = Awaited<ReturnType<typeof open>>;

/** Whether the step has failed, so that its run waits for input. */
const isAsking = ({ steps }: Run) => steps.find(({ key }) => key === "after")?.status === "waiting";

const childrenOf = async ({ stepwell, app }: Opened, { id }: Run) =>
  (await stepwell.runs.list(app, { parent_run_id: id })).items;

it.each<[name: string, child: (ids: { asking: string; failing: string }) => Child]>([
  [
    "items that were dropped because another one failed",
    ({ asking, failing }) => ({
      workflow_id: "{{ item }}",
      for_each: { items: `["${asking}", "${failing}", "${asking}"]`, concurrency: 3 },
    }),
  ],
  ["a step that took too long", ({ asking }) => ({ workflow_id: asking, timeout: 60 })],
])("cancels the children of %s", async (_, childStep) => {
  const data: Data = new Map();
  const copies: Data[] = [];
  const first = await open(data, undefined, () => void copies.push(new Map(data)));
  const asking = await first.deploy([input("in", to("ask")), input("ask")]);
  const failing = await first.deploy([fail("broken")]);
  const call = { type: "workflow", key: "call", workflow_id: "", input: {}, throw_on_error: false } as const;
  const step: Step = { ...call, ...childStep({ asking, failing }), ...to("after") };
  const run = await first.start([input("in", to("call")), step, input("after")]);
  await first.clock.advance("30s");
  const begun = copies.length;
  await first.clock.advance("1m");
  await expect.poll(async () => isAsking(await first.get(run.id))).toBe(true);
  await expect.poll(async () => (await childrenOf(first, run)).every((one) => one.finished_at !== null)).toBe(true);
  const crashes = copies.slice(Math.max(0, begun - 20));
  await first.stepwell.close();

  for (const copy of crashes) {
    const next = await open(copy, first.app);
    const found = await next.stepwell.runs.get(next.app, run.id).catch(() => null);
    if (found !== null) {
      await next.clock.advance("3m");
      await expect.poll(async () => isAsking(await next.get(run.id))).toBe(true);
      await expect.poll(async () => (await childrenOf(next, run)).map(({ status }) => status)).not.toContain("waiting");
    }
    await next.stepwell.close();
  }
});

it("a run that ended after its child was canceled leaves no row when it is deleted", async () => {
  const data: Data = new Map();
  const first = await open(data);
  const asking = await first.deploy([input("in", to("ask")), input("ask")]);
  const call = { type: "workflow", key: "call", workflow_id: asking, input: {}, timeout: 60 } as const;
  const steps = [
    input("in", to("call")),
    { ...call, throw_on_error: false, ...to("a") },
    slow("a", to("b")),
    slow("b"),
  ];
  const run = await first.start(steps);
  await first.clock.advance("2m");
  expect((await first.wait(run.id)).status).toBe("succeeded");
  for (const { id } of await childrenOf(first, run)) await first.stepwell.runs.remove(first.app, id);
  await first.stepwell.runs.remove(first.app, run.id);
  await first.stepwell.close();
  await expectIntact({ ...memory(data).driver, getKeys: () => [...data.keys()] });
});
