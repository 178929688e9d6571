/** A process that dies after any write: the next one ends every run the same and repeats no stored step. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Run, Step, StepOf } from "../../src/index.ts";
import { drive, essence } from "../support/engine/crash.ts";
import { memory } from "../support/engine/memory.ts";
import { branch, input, openService, type Service, step, to } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { openServer, type Received, type Server } from "../support/servers/http-server.ts";

const LARGE = "x".repeat(20 * 1024);

let server: Server;
/** While it is closed, no request gets a response. */
let gate: Promise<void>;
let openGate: () => void;
let isOpen: (path: string) => boolean;
/** @param except Paths that get responses all the same. */
function closeGate(...except: string[]): void {
  isOpen = (path) => except.includes(path);
  gate = new Promise((resolve) => {
    openGate = resolve;
  });
}

beforeAll(async () => {
  closeGate();
  server = await openServer(async ({ path, body, key }) => {
    if (!isOpen(path)) await gate;
    if (path === "/fail") return { status: 418, body: "no" };
    const nth = Number(key.slice(key.lastIndexOf("/") + 1));
    const json = path === "/large" ? { nth, text: `${nth}${LARGE}` } : { nth, path, body };
    return { headers: { "content-type": "application/json" }, body: JSON.stringify(json) };
  });
});
afterAll(() => server.close());
beforeEach(() => openGate());

const open = (data: Map<string, string>, app?: string, written?: () => void) =>
  openService({ storage: { entities: memory(data, written).driver }, net: server.net }, app);

type More = Partial<Omit<StepOf<"http_request">, "type" | "key">>;
const call = (key: string, more: More & { path?: string } = {}): Step => {
  const { path = `/${key}`, ...rest } = more;
  return {
    method: "POST",
    body: "{{ now }} {{ json(input) }}",
    ...rest,
    type: "http_request",
    key,
    url: server.url + path,
  };
};

/** Idempotency keys of requests whose outcome is stored. */
function finished(run: Run): string[] {
  return run.steps.flatMap(({ key, type, attempts }) =>
    type === "http_request" ? Array.from({ length: attempts }, (_, before) => `${run.id}/${key}/${before + 1}`) : [],
  );
}

/** Iterations; journal records are read 32 at a time. */
const ITERATIONS = 36;
const LAST_WRITES = 10;

/**
 * Runs a workflow, copies the storage after each write, and resumes from each copy.
 * @param last Resumes only from this many copies, the last ones.
 * @returns The number of requests that had finished in each of these copies.
 */
async function crashEverywhere(
  build: (service: Service) => Promise<readonly Step[]>,
  last = Number.POSITIVE_INFINITY,
): Promise<readonly number[]> {
  const data = new Map<string, string>();
  const copies: Map<string, string>[] = [];
  let isCopying = false;
  const first = await open(data, undefined, () => isCopying && copies.push(new Map(data)));
  const workflow = await first.deploy(await build(first));
  server.received.length = 0;
  isCopying = true;
  const { id } = await first.stepwell.runs.create(first.app, workflow, { input: { n: 2, text: "{{ no }}" } });
  const ended = await drive(first, id);
  isCopying = false;
  const requests = new Map(server.received.map((one) => [one.key, one]));
  expect(requests.size).toBe(server.received.length);
  await first.stepwell.close();
  expect(copies.length).toBeGreaterThan(0);
  const counts: number[] = [];
  for (const copy of copies.slice(-last)) counts.push(await checkResumed(copy, first.app, ended, requests));
  return counts;
}

async function checkResumed(
  copy: Map<string, string>,
  app: string,
  ended: Run,
  before: ReadonlyMap<string, Received>,
): Promise<number> {
  server.received.length = 0;
  closeGate();
  const service = await open(copy, app);
  const found = await service.get(ended.id).catch((error: { code?: string }) => {
    // The run may not have been created yet.
    expect(error.code).toBe("not_found");
    return null;
  });
  const done = new Set(found === null ? [] : finished(found));
  if (found !== null) {
    await turnEventLoop();
    // Pending requests are repeated with the same body; outputs of child runs may contain other times.
    const hasChildren = found.steps.some(({ type }) => type === "workflow");
    for (const { key, body } of server.received) if (!hasChildren) expect(body).toBe(before.get(key)?.body ?? body);
    openGate();
    expect(essence(await drive(service, ended.id))).toEqual(essence(ended));
    expect(server.received.filter(({ key }) => done.has(key))).toEqual([]);
    expect(new Set(server.received.map(({ key }) => key)).size).toBe(server.received.length);
  }
  openGate();
  await service.stepwell.close();
  return done.size;
}

const GRAPHS: Readonly<Record<string, (service: Service) => Promise<readonly Step[]>>> = {
  "a chain": async () => [input("in"), call("a"), call("b", { body: "{{ steps.a.output.body.body }}" }), call("c")],
  "a branch and a join": async () => [
    input("in", to("p")),
    branch("p", { many: ["input.n > 1", "left"], few: ["true", "right"] }),
    call("left", to("join")),
    call("right", to("join")),
    call("beside", { ...to("join"), input_connected: true }),
    call("join", { body: "{{ json(steps.left.status) }}{{ json(steps.right.status) }}" }),
  ],
  "parallel steps": async () => [
    input("in", to("a", "b", "c")),
    call("a", to("end")),
    call("b", to("end")),
    call("c", to("end")),
    call("end"),
  ],
  "a loop": async () => [
    input("in"),
    call("again", { loop: "iteration == 4", body: "{{ json(previous) }}" }),
    call("after"),
  ],
  "a tolerated failure": async () => [
    input("in"),
    call("bad", { path: "/fail", throw_on_error: false }),
    call("after", { body: "{{ steps.bad.error.code }}" }),
  ],
  "a failure that ends the run": async () => [input("in"), call("a"), call("bad", { path: "/fail" }), call("after")],
  "large outputs": async () => [
    input("in"),
    call("large", { path: "/large" }),
    call("loop", { path: "/large", loop: "output.body.nth == 3" }),
    call("after", { body: "{{ steps.large.output.body.text + steps.loop.output.body.text }}" }),
  ],
  "an input step in the middle": async () => [
    input("in"),
    call("a"),
    input("ask", { input: { answer: { type: "string" } } }),
    call("b", { body: "{{ steps.ask.output.answer }}" }),
  ],
  "an input step parallel to another step": async () => [
    input("in", to("ask", "a")),
    input("ask", { input: { answer: { type: "string" } }, ...to("end") }),
    call("a", to("end")),
    call("end"),
  ],
  "a child run": async (service) => {
    const child = await service.deploy([input("in"), call("inner"), call("inner2")]);
    return [input("in"), { type: "workflow", key: "child", workflow_id: child, input: "{{ input }}" }, call("after")];
  },
  "nested child runs in a loop": async (service) => {
    const inner = await service.deploy([input("in"), call("inner")]);
    const middle = await service.deploy([
      { type: "workflow", key: "deeper", workflow_id: inner, input: {} },
      call("middle"),
    ]);
    return [{ type: "workflow", key: "child", workflow_id: middle, input: {}, loop: "iteration == 2" }, call("after")];
  },
  "steps without requests": async () => [
    input("in"),
    branch("p", { yes: ["input.n == 2", "note"] }),
    { type: "note", key: "note", note: "" },
  ],
};

describe("a run whose process dies after any of its writes", () => {
  it.each(Object.entries(GRAPHS))("ends the same and repeats no stored step: %s", async (_, build) => {
    expect((await crashEverywhere(build)).length).toBeGreaterThan(0);
  });

  it("ends the same and repeats no stored step: a loop of more iterations than are read at once", async () => {
    const loop = call("again", { loop: `iteration == ${ITERATIONS}`, body: "{{ iteration }}" });
    // Before the last iteration, the journal has more records than one read returns.
    expect(await crashEverywhere(async () => [loop], LAST_WRITES)).toContain(ITERATIONS - 1);
  });
});

describe("a run that kills its process", () => {
  /** Opens a copy of the storage, lets steps start, and abandons the process. */
  async function dieAtWork(
    data: Map<string, string>,
    app: string,
    runId: string,
  ): Promise<{ run: Run; left: Map<string, string> }> {
    const copy = new Map(data);
    const service = await open(copy, app);
    const before = server.received.length;
    await service.until(runId, (run) => run.finished_at !== null || server.received.length > before);
    return { run: await service.get(runId), left: new Map(copy) };
  }

  it("fails as poison_run after five starts, with the outcomes that were stored, and a retry continues there", async () => {
    closeGate("/before", "/large", "/items");
    let data = new Map<string, string>();
    const first = await open(data);
    const item = { for_each: { items: "[1, 2, 3]" } };
    const steps = [input("in", to("before")), call("before", to("large")), call("large", { ...to("items"), ...item })];
    const { id } = await first.start([
      ...steps,
      call("items", { ...item, ...to("bomb") }),
      call("bomb", to("after")),
      call("after"),
    ]);
    await expect.poll(() => server.at("/bomb").length).toBeGreaterThan(0);
    for (let death = 1; death <= 4; death++) {
      const { run, left } = await dieAtWork(data, first.app, id);
      expect(run.status).toBe("running");
      data = left;
    }
    const { run } = await dieAtWork(data, first.app, id);
    expect(run).toMatchObject({ status: "failed", output: null, error: { code: "poison_run" } });
    expect(run.error?.message).toContain('"bomb"');
    const statuses = run.steps.map(({ key, status }) => [key, status]);
    expect(statuses).toEqual([
      ...["in", "before", "large", "items"].map((key) => [key, "succeeded"]),
      ...["bomb", "after"].map((key) => [key, "canceled"]),
    ]);
    const kept = run.steps.slice(0, 4).map(({ output }) => output);
    expect(kept[1]).toMatchObject({ body: { path: "/before" } });

    openGate();
    const next = await open(data, first.app);
    await next.until(id, ({ finished_at }) => finished_at !== null);
    server.received.length = 0;
    await next.stepwell.runs.retry(first.app, id);
    const again = await next.wait(id);
    expect(again.status).toBe("succeeded");
    expect(again.steps.slice(0, 4).map(({ output }) => output)).toEqual(kept);
    // The abandoned processes go on, too.
    expect(new Set(server.received.map(({ path }) => path))).toEqual(new Set(["/bomb", "/after"]));
    await next.stepwell.close();
  });

  it("does not fail as poison_run while it makes progress between deaths", async () => {
    closeGate();
    let data = new Map<string, string>();
    const first = await open(data);
    const { id } = await first.start([input("in"), call("work", { loop: "iteration == 3" })]);
    await expect.poll(() => server.at("/work").length).toBeGreaterThan(0);
    for (let round = 0; round < 3; round++) {
      data = new Map((await dieAtWork(data, first.app, id)).left);
      const service = await open(data, first.app);
      const { attempts } = step(await service.get(id), "work");
      openGate();
      const run = await service.until(id, (one) => one.finished_at !== null || step(one, "work").attempts > attempts);
      closeGate();
      expect(run.error).toBeNull();
    }
    openGate();
  });

  it("is never one that only waits for a child run", async () => {
    let data = new Map<string, string>();
    const first = await open(data);
    const child = await first.deploy([input("in"), input("ask", { input: { answer: { type: "string" } } })]);
    const { id } = await first.start([{ type: "workflow", key: "child", workflow_id: child, input: {} }]);
    await first.until(id, () => [...data.values()].some((text) => text.includes("parent_run_id") && text.includes(id)));
    await expect.poll(async () => (await first.stepwell.runs.listOfWorkflow(first.app, child)).items.length).toBe(1);
    let last = first;
    for (let start = 0; start < 5; start++) {
      data = new Map(data);
      last = await open(data, first.app);
      await turnEventLoop();
      expect((await last.get(id)).status).toBe("running");
    }
    const [waiting] = (await last.stepwell.runs.listOfWorkflow(first.app, child)).items;
    await last.stepwell.runs.provide(first.app, waiting?.id ?? "", "ask", { answer: "yes" });
    expect(await last.wait(id)).toMatchObject({ status: "succeeded", output: { answer: "yes" } });
  });
});
