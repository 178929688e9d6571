/** What steps leave behind, as the page of a run shows it: files, the text of a model, long logs and many errors. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { defineService, type JsonInputObject, RetryableError, type Step } from "../../src/index.ts";
import { createGate } from "../support/gate.ts";
import { until } from "../support/until.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { PNG } from "./support/png.ts";
import { untilStep } from "./support/run-seed.ts";

const LINES = 90;
const ITEMS = 200;

/** Ends the text of the model. */
const written = createGate();
/** Lets the step `hold` go on. */
const held = createGate();

let tried = 0;

const talk = defineService({
  name: "talk",
  actions: {
    echo: { input: v.object({ value: v.any() }), output: v.any(), run: ({ value }) => value },
    hold: {
      input: v.object({}),
      output: v.null(),
      async run() {
        await held.released;
        return null;
      },
    },
    log: {
      input: v.object({}),
      output: v.null(),
      run(_, { log }) {
        for (let line = 1; line <= LINES; line++) log(`line ${line} ${"x".repeat(1_000)}`);
        return null;
      },
    },
    tries: {
      input: v.object({}),
      output: v.null(),
      run(_, { log }) {
        log(`connecting for the ${["first", "second", "third"][tried++]} time`);
        if (tried < 3) throw new RetryableError("The other side is busy.");
        return null;
      },
    },
    fail: {
      input: v.object({ index: v.number() }),
      output: v.null(),
      run({ index }) {
        throw new Error(`Item ${index} is not valid: ${"y".repeat(450)}`);
      },
    },
  },
});

/** Writes the same words until the test has seen them: a page that comes late misses the first ones. */
const writer = (modelId: string) => ({
  specificationVersion: "v3",
  provider: "writer",
  modelId,
  supportedUrls: {},
  async doStream() {
    let hasEnded = false;
    void written.released.then(() => {
      hasEnded = true;
    });
    const stream = new ReadableStream<object>({
      async start(controller) {
        controller.enqueue({ type: "stream-start", warnings: [] });
        controller.enqueue({ type: "text-start", id: "text" });
        await until(async () => {
          controller.enqueue({ type: "text-delta", id: "text", delta: "<b>words</b> " });
          return hasEnded;
        });
        controller.enqueue({ type: "text-delta", id: "text", delta: "The end." });
        controller.enqueue({ type: "text-end", id: "text" });
        const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
        controller.enqueue({ type: "finish", finishReason: { unified: "stop", raw: undefined }, usage });
        controller.close();
      },
    });
    return { stream };
  },
});

const { browser, server } = await openBrowserAndServer({ services: [talk], models: { writer } });
afterAll(() => {
  written.release();
  held.release();
});

const call = (key: string, action: string, input: object, more: object = {}): Step =>
  ({ type: "service", key, service: { service: "talk", action, input }, ...more }) as Step; // a service step

async function start(steps: readonly Step[], input: JsonInputObject = {}): Promise<string> {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, { name: "Outputs", steps: [...steps] });
  await stepwell.workflows.deploy(app.id, id);
  return (await stepwell.runs.create(app.id, id, { input })).id;
}

async function ended(steps: readonly Step[]): Promise<string> {
  const id = await start(steps);
  await server.stepwell.runs.wait(server.app.id, id);
  return id;
}

const pathOf = (run: string, query = "") => `/apps/${server.app.id}/runs/${run}${query}`;
const inspector = (page: Page) => page.getByRole("region", { name: "Step", exact: true });

const FILES: readonly (readonly [name: string, body: Uint8Array, type: string])[] = [
  ["picture.png", PNG, "image/png"],
  ["offer.pdf", new TextEncoder().encode("%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n"), "application/pdf"],
  ["note.txt", new TextEncoder().encode("A note"), "text/plain"],
  ["rows.csv", new TextEncoder().encode("a,b\n1,2\n"), "text/csv"],
];

describe("files of an output", () => {
  it("are named with their types, a picture is shown, and each can be opened", async () => {
    const { stepwell, app } = server;
    const created = await Promise.all(FILES.map(([name, body]) => stepwell.files.create(app.id, { name, body })));
    const value = created.map(({ id, name, size, mime_type }) => ({ id, name, size, mime_type }));
    const run = await ended([call("files", "echo", { value })]);
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run, "?step=files"));
    const picture = inspector(page).getByRole("img", { name: "picture.png" });
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
    for (const [name, body, type] of FILES) {
      const file = inspector(page).getByRole("listitem").filter({ hasText: name });
      expect(await file.innerText()).toContain(type);
      const url = await file.getByRole("link", { name: "Open file" }).getAttribute("href");
      const response = await fetch(url ?? "");
      expect([response.status, response.headers.get("content-type")?.split(";")[0]]).toEqual([200, type]);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(body));
    }
    expect(await inspector(page).locator("img").count()).toBe(1);
    expect(await faults()).toEqual([]);
  });
});

describe("files of an input", () => {
  it("are named with their sizes, and can be opened", async () => {
    const { stepwell, app } = server;
    const { id: file } = await stepwell.files.create(app.id, {
      name: "hotel.txt",
      body: new TextEncoder().encode("Two nights"),
    });
    const input = { receipts: { type: "file" as const, name: "Receipts", array: true } };
    const echo = call("read", "echo", { value: "{{ steps.start.output }}" }, { destinations: [] });
    const run = await start([{ type: "input", key: "start", input, destinations: ["read"] }, echo], {
      receipts: [file],
    });
    await stepwell.runs.wait(app.id, run);
    const { page, go, faults } = await openConsole(browser, server);
    for (const query of ["", "?step=read&tab=input"]) {
      await go(pathOf(run, query));
      const files = inspector(page).getByRole("list", { name: "Files of this value" }).first();
      const link = files.getByRole("link", { name: "hotel.txt" });
      expect(await (await fetch((await link.getAttribute("href")) ?? "")).text()).toBe("Two nights");
      expect(await files.innerText()).toMatch(/^hotel\.txt\s+· 10 bytes$/);
    }
    expect(await faults()).toEqual([]);
    await go(`/apps/${app.id}/files/${file}`);
    const kept = page.locator(".facts > div").filter({ hasText: "Kept until" });
    expect((await kept.innerText()).split("\n").at(-1)).toBe("someone deletes it");
  });
});

describe("the text of a model", () => {
  it("is shown as text while it is written, and as the output when it has ended", async () => {
    const provider = {
      ...{ provider: "writer", model: "w", messages: [{ role: "user", content: "Write" }] },
      features: { stream: true },
    };
    const run = await start([{ type: "model", key: "write", provider } as Step]); // a model step
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run, "?step=write"));
    await inspector(page).getByText("The model is writing").waitFor();
    await inspector(page)
      .getByText(/<b>words<\/b> <b>words<\/b>/)
      .waitFor();
    expect(await page.locator("main b").count()).toBe(0);
    expect(await faults()).toEqual([]);
    written.release();
    await page.locator(".page-head .status-sign.succeeded").waitFor();
    await inspector(page).getByText("finish_reason").waitFor();
    expect(await inspector(page).getByText("The model is writing").count()).toBe(0);
  });
});

describe("a log", () => {
  it("is shown by attempts, searched, and saved as a whole", async () => {
    const retry = { max_attempts: 3, initial_interval: 0.001, backoff: 1 };
    const run = await ended([call("talk", "tries", {}, { retry })]);
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run, "?step=talk&tab=log"));
    const tries = inspector(page).getByRole("heading", { level: 3 });
    await expect.poll(() => tries.allInnerTexts()).toEqual(["Try 1", "Try 2", "Try 3"]);
    expect(await faults()).toEqual([]);
    const saving = page.waitForEvent("download");
    await inspector(page).getByRole("button", { name: "Whole log" }).click();
    const lines = (await readFile(await (await saving).path(), "utf8")).split("\n");
    expect(lines).toEqual(
      ["first", "second", "third"].flatMap((word, n) => [`# Try ${n + 1}`, `connecting for the ${word} time`]),
    );
    await inspector(page).getByLabel("Search log").fill("second");
    await expect.poll(() => tries.allInnerTexts()).toEqual(["Try 2"]);
  });
});

describe("a run that fails while somebody looks at it", () => {
  it("opens the step that failed, if none was chosen", async () => {
    const run = await start([
      call("hold", "hold", {}, { destinations: ["broken"] }),
      call("broken", "fail", { index: 7 }, { retry: { max_attempts: 1 } }),
    ]);
    await untilStep(server, run, "hold", "running");
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.locator(".waterfall-row.running [data-row=hold]").waitFor();
    expect(new URL(page.url()).search).toBe("");
    held.release();
    await page.waitForURL(/step=broken&tab=error/);
    await inspector(page).getByText("Item 7 is not valid").waitFor();
  });
});

describe("what is too long to be read with a run", () => {
  it("is said of a log, which is read by itself", async () => {
    const run = await ended([call("log", "log", {})]);
    expect((await server.stepwell.runs.get(server.app.id, run, { preview: 65_536 })).steps[0]?.omitted).toEqual([
      "logs",
    ]);
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run, "?step=log&tab=log"));
    await inspector(page).getByText("This log is too long to be read with the run").waitFor();
    await inspector(page).getByText(`${LINES} lines`).waitFor();
    await inspector(page).getByLabel("Search log").fill(`line ${LINES} `);
    await inspector(page).getByText("1 line", { exact: true }).waitFor();
    expect(await faults()).toEqual([]);
  });

  it("is said of the errors of items, which their list reads", async () => {
    const items = Array.from({ length: ITEMS }, (_, index) => index);
    const run = await ended([
      call("numbers", "echo", { value: items }, { destinations: ["check"] }),
      call(
        "check",
        "fail",
        { index: "{{ index }}" },
        {
          for_each: { items: "steps.numbers.output", concurrency: 20, on_error: "continue" },
          retry: { max_attempts: 1 },
        },
      ),
    ]);
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run, "?step=check&tab=error"));
    await inspector(page).getByText(`${ITEMS} items have failed.`).waitFor();
    expect(await faults()).toEqual([]);
    await inspector(page).getByRole("button", { name: "Show the items" }).click();
    await inspector(page).getByText("Item 0 is not valid").waitFor();
  });
});
