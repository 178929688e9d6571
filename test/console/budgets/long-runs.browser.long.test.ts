/** Runs with much in them: the page asks for what it shows, and draws what has changed. */
import type { ServerResponse } from "node:http";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, type RunEvent, type Step } from "../../../src/index.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { countRenderWork } from "./render-work.ts";

const STEPS = 200;
const ITEMS = 5_000;
const PREVIEW_BYTES = 262_144;

const service = defineService({
  name: "much",
  title: "Much",
  actions: {
    rows: {
      title: "Rows",
      input: v.object({ count: v.number(), length: v.number() }),
      output: v.any(),
      run: async ({ count, length }) => Array.from({ length: count }, (_, id) => ({ id, note: "x".repeat(length) })),
    },
    check: {
      title: "Check",
      input: v.object({ index: v.number() }),
      output: v.number(),
      async run({ index }) {
        if (index === ITEMS - 1) throw new Error("The last item is not valid.");
        return index;
      },
    },
    hold: {
      title: "Hold",
      input: v.object({}),
      output: v.any(),
      run: (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
    },
  },
});
const act = (key: string, action: string, input: object, more: object = {}): Step =>
  ({ type: "service", key, service: { service: "much", action, input }, ...more }) as Step; // a service step
const start: Step = { type: "input", key: "start", input: {} };

const { browser, server } = await openBrowserAndServer({ services: [service] });

async function begin(steps: Step[]): Promise<string> {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, { name: "Much", steps });
  await stepwell.workflows.deploy(app.id, id);
  return (await stepwell.runs.create(app.id, id, {})).id;
}

const pathOf = (run: string, query = "") => `/apps/${server.app.id}/runs/${run}${query}`;

/** What the server sends of a run from now on: paths below the run, and bytes. */
function watchReads(run: string) {
  const paths: string[] = [];
  let bytes = 0;
  server.intercept(({ url = "" }, response) => {
    const [, path] = url.split("?")[0]?.split(`/runs/${run}`) ?? [];
    if (path === undefined || url.startsWith("/console")) return false;
    paths.push(path);
    // A connection sends one response after the other.
    const { socket } = response;
    const before = socket?.bytesWritten ?? 0;
    response.on("finish", () => {
      bytes += (socket?.bytesWritten ?? 0) - before;
    });
    return false;
  });
  return { paths, bytes: () => bytes };
}

describe("a run with an output of 10 MB", () => {
  it("loads 256 KiB of it with its step, and nothing else until somebody asks", async () => {
    const run = await begin([start, act("big", "rows", { count: 50_000, length: 180 })]);
    await server.stepwell.runs.wait(server.app.id, run);
    const { page, go } = await openConsole(browser, server);
    const first = watchReads(run);
    await go(pathOf(run));
    await page.locator("[data-row=big]").waitFor();
    await page.getByRole("button", { name: /^Load all of it/ }).waitFor();
    // Neither the step's nor the run's own output comes with the run.
    expect(first.bytes()).toBeLessThan(PREVIEW_BYTES);

    const opened = watchReads(run);
    await page.locator("[data-row=big]").click();
    await page.getByText(/Showing the first 256 KiB of/).waitFor();
    // The first hundred of more than a thousand rows.
    expect(await page.locator(".run-inspector .parent .parent").count()).toBe(100);
    expect(await page.locator(".run-inspector *").count()).toBeLessThan(2_000);
    // What else it asked for would have been there before the next step.
    await page.locator("[data-row=start]").click();
    await expect.poll(() => opened.paths).toContain("/steps/start");
    expect(opened.paths).toEqual(["/steps/big", "/steps/start"]);
    expect(opened.bytes()).toBeGreaterThan(PREVIEW_BYTES);
    expect(opened.bytes()).toBeLessThan(1.2 * PREVIEW_BYTES);
  });
});

describe("a run with 5,000 repetitions", () => {
  it("shows them as one row, and a page of them when asked", async () => {
    const run = await begin([
      start,
      act("rows", "rows", { count: ITEMS, length: 1 }),
      act(
        "items",
        "check",
        { index: "{{ index }}" },
        {
          for_each: { items: "steps.rows.output", concurrency: 100, on_error: "continue" },
          retry: { max_attempts: 1 },
        },
      ),
    ]);
    await server.stepwell.runs.wait(server.app.id, run);
    const { page, go } = await openConsole(browser, server);
    const reads = watchReads(run);
    await go(pathOf(run));
    await page.getByRole("img", { name: `1 of ${ITEMS} failed` }).waitFor();
    expect(await page.locator("[data-row]").count()).toBe(3);
    expect(await page.locator(".waterfall *").count()).toBeLessThan(150);
    expect(reads.paths.filter((path) => path.includes("items"))).toEqual([]);

    await page.keyboard.press("n");
    await page.getByText("The last item is not valid.").first().waitFor();
    await page.getByRole("tab", { name: "Items" }).click();
    await page.getByRole("checkbox", { name: "Only failed ones" }).uncheck();
    await page.getByRole("button", { name: /^Item 1\b/ }).waitFor();
    expect(await page.locator(".part-list li").count()).toBe(100);
    // The failed ones, then the first of all.
    expect(reads.paths.filter((path) => path.endsWith("/items/items"))).toHaveLength(2);
    expect(reads.bytes()).toBeLessThan(PREVIEW_BYTES);
  });
});

describe("a run that sends many events", () => {
  /** A run of which the second step is held, with a stream that the test writes. The clock of the page stands still. */
  async function openStream(query = "") {
    const run = await begin([
      start,
      act("held", "hold", {}),
      ...Array.from({ length: STEPS - 2 }, (_, n) => act(`step_${n}`, "rows", { count: 0, length: 0 })),
    ]);
    let stream: ServerResponse | undefined;
    const now = Date.parse((await server.stepwell.runs.get(server.app.id, run)).created_at) + 605_000;
    server.intercept(({ url, headers }, response) => {
      // The page goes by the clock of the server.
      response.setHeader("date", new Date(now).toUTCString());
      if (!(url ?? "").includes(`/runs/${run}/events`) || headers.accept !== "text/event-stream") return false;
      stream = response;
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
      return true;
    });
    const { page, go } = await openConsole(browser, server);
    const work = await countRenderWork(page);
    await page.clock.setFixedTime(now);
    await go(pathOf(run, query));
    await page.locator("[data-row=step_197]").waitFor({ state: "attached" });
    await page.locator('.run-views[data-live="live"]').waitFor();
    await expect.poll(() => stream !== undefined).toBe(true);
    const send = (events: readonly RunEvent[]) =>
      stream?.write(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
    const at = (milliseconds: number) => new Date(now + milliseconds).toISOString();
    return { run, page, work, send, at };
  }

  it("applies them once a frame, and draws the rows of changed steps only", async () => {
    const { run, page, work, send, at } = await openStream();
    const run_id = run;
    await page.evaluate(() => {
      const rows = new Set<string>();
      Reflect.set(window, "rows", rows);
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          rows.add(element?.closest("li")?.querySelector("[data-row]")?.getAttribute("data-row") ?? "");
        }
      }).observe(document.querySelector(".waterfall ol") ?? document, {
        ...{ subtree: true, childList: true, attributes: true, characterData: true },
      });
      let frames = 0;
      const next = () => {
        Reflect.set(window, "framesSeen", ++frames);
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
    const before = await work();
    const changed = ["step_0", "step_1", "step_2", "step_3"];
    const events = changed.flatMap((step, index): RunEvent[] => [
      { type: "step.started", run_id, step, at: at(index * 100) },
      ...Array.from(
        { length: 250 },
        (_, line): RunEvent => ({
          ...{ type: "step.log", run_id, step, at: at(index * 100 + 1) },
          lines: [`Line ${line}`],
        }),
      ),
      { type: "step.succeeded", id: index + 10, run_id, step, at: at(index * 100 + 50), output: index },
    ]);
    send(events);
    await page.locator(".waterfall-row.succeeded [data-row=step_3]").waitFor();
    const frames = await page.evaluate(() => Number(Reflect.get(window, "framesSeen")));
    const rows = await page.evaluate(() => [...(Reflect.get(window, "rows") as ReadonlySet<string>)]); // set above
    // For each frame, one for the run and one for what is not stored; a few are of the page around it.
    const { commits, rendered } = await work();
    expect(commits - before.commits).toBeLessThanOrEqual(2 * frames + 10);
    expect(commits - before.commits).toBeLessThan(events.length / 2);
    // The parts of the page around the rows, and a few rows.
    expect(rendered - before.rendered).toBeLessThan((commits - before.commits) * STEPS);
    expect(rows.filter((row) => !changed.includes(row))).toEqual([]);
    expect(rows).toEqual(expect.arrayContaining(changed));
    await server.stepwell.runs.cancel(server.app.id, run);
  });

  it("needs no more memory the longer it goes on", async () => {
    const { run, page, send, at } = await openStream("?step=step_0&tab=output");
    const cdp = await page.context().newCDPSession(page);
    const text = "A sentence of a model, in which not much is said. ".repeat(4);
    /** @returns Bytes of the heap without garbage */
    const talk = async (name: string) => {
      const delta: RunEvent = { type: "step.delta", run_id: run, step: "step_0", at: at(0), text };
      send([...Array.from({ length: 2_000 }, () => delta), { ...delta, text: `That was ${name}.` }]);
      await page.getByText(new RegExp(`That was ${name}\\.$`)).waitFor();
      await cdp.send("HeapProfiler.collectGarbage");
      await cdp.send("HeapProfiler.collectGarbage");
      return (await cdp.send("Runtime.getHeapUsage")).usedSize;
    };
    send([{ type: "step.started", run_id: run, step: "step_0", at: at(0) }]);
    const first = await talk("one");
    for (const name of ["two", "three", "four"]) await talk(name);
    // Each of these 2,000 events has 200 characters: kept, they would be some MB each time.
    expect((await talk("five")) - first).toBeLessThan(2_000_000);
    await server.stepwell.runs.cancel(server.app.id, run);
  });
});
