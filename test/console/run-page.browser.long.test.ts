/** The page of a run: what happened, why, and what to do. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createGate } from "../support/gate.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";
import { createActor, deployRunWorkflows, HOSTILE_TEXT, untilStep } from "./support/run-seed.ts";

const actor = createActor();
const { browser, server } = await openBrowserAndServer({ services: [actor.service] });
const ids = await deployRunWorkflows(server);

async function start(workflow: string, input = {}): Promise<string> {
  return (await server.stepwell.runs.create(server.app.id, workflow, { input })).id;
}

async function ended(workflow: string, input = {}): Promise<string> {
  const id = await start(workflow, input);
  await server.stepwell.runs.wait(server.app.id, id);
  return id;
}

const pathOf = (run: string, query = "") => `/apps/${server.app.id}/runs/${run}${query}`;
const row = (page: Page, key: string) => page.locator(`[data-row="${key}"]`);
/** Whether all of the row of a step is on the screen. */
const isSeen = (page: Page, key: string) => isWhole(row(page, key));
const isWhole = (element: Locator) =>
  element.evaluate((found) => {
    const { left, top, width, bottom } = found.getBoundingClientRect();
    return [top + 2, bottom - 2].every((y) => found.contains(document.elementFromPoint(left + width / 2, y)));
  });
const inspector = (page: Page) => page.getByRole("region", { name: "Step", exact: true });

it("says the name of the API key that started a run", async () => {
  const { id, key } = await server.stepwell.keys.create(server.app.id, { name: "Billing" });
  const response = await fetch(`${server.baseUrl}/apps/${server.app.id}/workflows/${ids.long}/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(response.status).toBe(201);
  const { id: run } = (await response.json()) as { id: string };
  const { page, go } = await openConsole(browser, server);
  await go(pathOf(run));
  await page.getByText("a call of the API (key Billing)").waitFor();
  expect(await page.getByText(id).count()).toBe(0);
});

it("says beside the ruler how long a run has been in the queue, where its mark is drawn", async () => {
  const run = await ended(ids.items);
  const { page, go } = await openConsole(browser, server, { viewport: { width: 390, height: 844 } });
  const { pathname } = new URL(`${server.baseUrl}/apps/${server.app.id}/runs/${run}`);
  await page.route(
    (url) => url.pathname === pathname,
    async (route) => {
      const response = await route.fetch();
      const found: { started_at: string } = await response.json();
      const created_at = new Date(Date.parse(found.started_at) - 400).toISOString();
      await route.fulfill({ response, json: { ...found, created_at } });
    },
  );
  await go(pathOf(run));
  await page.locator(".queue-legend").getByText("400 ms in the queue").waitFor();
  const [legend, hatch, tick] = await Promise.all(
    [".queue-legend", ".axis-head .axis .bar.queued", ".axis-head .tick bdi"].map((place) =>
      page.locator(place).first().boundingBox(),
    ),
  );
  if (!legend || !hatch || !tick) throw new Error("Something is not drawn.");
  expect(hatch.y).toBeGreaterThanOrEqual(tick.y + tick.height - 1);
  expect(tick.y).toBeGreaterThanOrEqual(legend.y + legend.height - 1);
});

describe("the page of a run with 200 steps", () => {
  it("opens at the failure, says why, and offers a retry from there", async () => {
    const run = await ended(ids.long);
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.waitForURL(/step=step_190&tab=error/);
    await inspector(page).getByText("No such key: missing").waitFor();
    expect(await faults()).toEqual([]);
    await inspector(page).getByText("To run step_190 and what follows again:").waitFor();
    await inspector(page).getByRole("button", { name: "Retry from here" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Runs again (10)").waitFor();
    await dialog.getByText("Is kept (190)").waitFor();
    expect(await faults()).toEqual([]);
  });

  it("scrolls to the next failure, and names its rows without saying anything twice", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?step=step_3"));
    expect(await isSeen(page, "step_190")).toBe(false);
    await page.getByRole("button", { name: "Next failure" }).click();
    await page.waitForURL(/step=step_190&tab=error/);
    const announced = page.locator(".announced").getByText(/^Failed at step_190 · .*No such key/);
    await announced.waitFor({ state: "attached" });
    await expect.poll(() => isSeen(page, "step_190")).toBe(true);
    expect(await row(page, "step_189").ariaSnapshot()).toMatch(/"Service step_189 Succeeded [\d.,]+ m?s"/);
    await inspector(page).getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Show the error" }).click();
    await inspector(page).getByText("No such key: missing").waitFor();
  });

  it("opens with the row in view of the step that the address names, or that failed", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?step=step_137&tab=log"));
    await inspector(page).getByRole("heading", { name: "step_137" }).waitFor();
    await expect.poll(() => isSeen(page, "step_137")).toBe(true);
    await go(pathOf(run));
    await page.waitForURL(/step=step_190&tab=error/);
    await expect.poll(() => isSeen(page, "step_190")).toBe(true);
  });

  it.each([
    [1440, 900],
    [2560, 1440],
  ])("opens with what failed and what to do about it in view, in a window of %i × %i", async (width, height) => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server, { viewport: { width, height } });
    await go(pathOf(run));
    await focusAt(page, "[data-row=step_190]");
    await expect.poll(() => isSeen(page, "step_190")).toBe(true);
    const places = [
      page.getByRole("heading", { level: 1 }),
      page.getByText("Failed at step_190", { exact: true }),
      page.getByRole("button", { name: "Retry…", exact: true }),
      inspector(page).getByRole("button", { name: "Retry from here" }),
    ];
    for (const place of places) expect(await isWhole(place)).toBe(true);
    await page.keyboard.press("Home");
    await expect.poll(() => isSeen(page, "start")).toBe(true);
    for (const place of places.slice(0, 3)) expect(await isWhole(place)).toBe(true);
  });

  it("leads to the step that fails while the run is watched", async () => {
    const { stepwell, app } = server;
    const echo = { service: "actor", action: "echo", input: { value: 1 } };
    const { id } = await stepwell.workflows.create(app.id, {
      name: "Fails while watched",
      steps: [
        { type: "input", key: "start", input: {}, destinations: ["held"] },
        {
          type: "service",
          key: "held",
          service: { service: "actor", action: "hold", input: { gate: "{{ run.id }}" } },
          destinations: ["broken"],
        },
        { type: "service", key: "broken", conditional: "input.missing.value > 1", service: echo },
        ...Array.from({ length: 40 }, (_, n) => ({ type: "service" as const, key: `other_${n}`, service: echo })),
      ],
    });
    await stepwell.workflows.deploy(app.id, id);
    const run = await start(id);
    const { page, go } = await openConsole(browser, server, { viewport: { width: 1440, height: 500 } });
    await go(pathOf(run));
    await page.locator(".waterfall-row.running [data-row='held']").waitFor();
    await row(page, "other_39").scrollIntoViewIfNeeded();
    const isSeen = () => row(page, "broken").evaluate((element) => element.getBoundingClientRect().top >= 0);
    expect(await isSeen()).toBe(false);
    actor.release(run);
    await page.waitForURL(/step=broken&tab=error/);
    await expect.poll(isSeen).toBe(true);
  });

  it("opens at the step at which the run failed, not at one that failed before and was caught", async () => {
    const { stepwell, app } = server;
    const { id } = await stepwell.workflows.create(app.id, {
      name: "Fails after a caught error",
      steps: [
        { type: "input", key: "start", input: {}, destinations: ["caught"] },
        {
          type: "code",
          key: "caught",
          code: "throw new Error('ignored')",
          throw_on_error: false,
          destinations: ["broken"],
        },
        { type: "code", key: "broken", code: "throw new Error('not ignored')" },
      ],
    });
    await stepwell.workflows.deploy(app.id, id);
    const run = await ended(id);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.waitForURL(/step=broken&tab=error/);
    await focusAt(page, "[data-row=broken]");
    await inspector(page).getByText("not ignored").waitFor();
    await page.getByRole("button", { name: "Next failure" }).click();
    await page.waitForURL(/step=caught&tab=error/);
  });

  it("does not open at the failure where somebody has chosen otherwise, nor on a phone", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?step=step_3"));
    await inspector(page).getByRole("heading", { name: "step_3" }).waitFor();
    await inspector(page).getByRole("button", { name: "Close" }).click();
    await inspector(page).getByText("Choose a step to see its input, output and log.").waitFor();
    expect(new URL(page.url()).searchParams.get("step")).toBeNull();
    await page.setViewportSize({ width: 390, height: 844 });
    await go(pathOf(run));
    await page.getByRole("button", { name: "Next failure" }).waitFor();
    expect(new URL(page.url()).searchParams.get("step")).toBeNull();
  });

  it("is walked on the canvas with arrows from one stop of the keyboard", async () => {
    const run = await ended(ids.long);
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run, "?view=canvas&step=step_189"));
    const step = (name: RegExp) => page.getByRole("button", { name });
    await step(/^step_189, Service, 190 of 200, succeeded, leads to step_190$/).focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForURL(/step=step_190/);
    await expect.poll(() => step(/^step_190, .*failed, leads to step_191$/).getAttribute("aria-pressed")).toBe("true");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-step"))).toBe("step_190");
    expect(await page.locator("[data-step][tabindex='0']").count()).toBe(1);
    await page.keyboard.press("Home");
    await page.waitForURL(/step=start/);
    await page.keyboard.press("End");
    await page.waitForURL(/step=step_199/);
    expect(await faults()).toEqual([]);
  });
});

describe("the page of a run that waits for an answer", () => {
  it("says so above its steps, and leads to the form", async () => {
    const run = await start(ids.loan, { amount: 2_000 });
    await untilStep(server, run, "approve", "waiting");
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByText("Waiting for an answer at approve").waitFor();
    expect(await faults()).toEqual([]);
    // Times that grow have their room from the start, so that nothing below them moves.
    const duration = page.locator(".run-facts .duration");
    const placeOf = async () => [
      await duration.evaluate((element) => element.getBoundingClientRect().width),
      await page.locator(".run-views").evaluate((element) => element.getBoundingClientRect().top),
    ];
    const before = await placeOf();
    const { created_at } = await server.stepwell.runs.get(server.app.id, run);
    await page.clock.setFixedTime(Date.parse(created_at) + 11 * 60_000 + 34_000);
    await duration.getByText("min").waitFor();
    expect(await placeOf()).toEqual(before);
    // The axis ends a little later, but nobody was idle in what has not come yet.
    const [, minutes, seconds] = /^(\d+) min (\d+) s idle$/.exec(await page.locator(".cut-label").innerText()) ?? [];
    expect(Number(minutes) * 60 + Number(seconds)).toBeLessThanOrEqual(11 * 60 + 34);
    // Nothing is executed of a note, and nobody is asked for the input of the run.
    expect(await row(page, "about").count()).toBe(0);
    expect(await row(page, "start").locator(".bar").getAttribute("class")).toBe("bar running succeeded");
    await page.getByRole("link", { name: "Answer", exact: true }).click();
    await page.waitForURL(`**/inbox/${run}/approve`);
    await server.stepwell.runs.provide(server.app.id, run, "approve", { ok: true });
    await server.stepwell.runs.wait(server.app.id, run);
    await go(pathOf(run));
    await row(page, "approve").waitFor();
    expect(await page.getByText("Waiting for an answer").count()).toBe(0);
  });
});

describe("the page of a run that waits for a moment", () => {
  const signOf = (page: Page, place: string) => page.locator(`${place} .status-sign path`).getAttribute("d");

  it("says when a planned run starts, which is in no queue", async () => {
    const { id } = await server.stepwell.runs.create(server.app.id, ids.loan, {
      input: { amount: 1 },
      run_at: new Date(Date.parse(server.app.created_at) + 172_800_000).toISOString(),
    });
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(id));
    await page
      .locator(".axis-head")
      .getByText(/^Starts /)
      .waitFor();
    expect(await page.getByText("in the queue").count()).toBe(0);
    expect(await faults()).toEqual([]);
    await server.stepwell.runs.cancel(server.app.id, id);
  });

  it("says until when, also once a step begins to wait, and marks with a person only what waits for one", async () => {
    const { stepwell, app } = server;
    const { id: workflow } = await stepwell.workflows.create(app.id, {
      name: "Asks every hour",
      steps: [
        { type: "input", key: "start", input: {}, destinations: ["poll"] },
        {
          type: "service",
          key: "poll",
          service: { service: "actor", action: "hold", input: { gate: "{{ run.id }}" } },
          loop: "iteration >= 3",
          loop_delay: 3_600,
        },
      ],
    });
    await stepwell.workflows.deploy(app.id, workflow);
    const run = await start(workflow);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.locator('.run-views[data-live="live"]').waitFor();
    await page.locator(".waterfall-row.running [data-row=poll]").waitFor();
    actor.release(run);
    await page.locator(".page-head .status-sign.waiting").waitFor();
    await page
      .locator(".page-head .title")
      .getByText(/^until /)
      .waitFor();
    const clock = await signOf(page, ".page-head");
    expect(await signOf(page, "[data-row=poll]")).toBe(clock);
    const asked = await start(ids.loan, { amount: 2_000 });
    await untilStep(server, asked, "approve", "waiting");
    await go(pathOf(asked));
    await page.locator(".page-head .status-sign.waiting").waitFor();
    await expect.poll(() => signOf(page, ".page-head")).not.toBe(clock);
    expect(await signOf(page, "[data-row=approve]")).not.toBe(clock);
    for (const id of [run, asked]) await stepwell.runs.cancel(app.id, id);
  });
});

describe("the canvas", () => {
  it("is not preceded by the list while its steps are read", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    const [asked, answer] = [createGate(), createGate()];
    await page.route("**/workflows/*/versions/*", async (route) => {
      asked.release();
      await answer.released;
      await route.continue();
    });
    await go(pathOf(run, "?view=canvas"));
    await asked.released;
    await page.locator(".run-canvas").waitFor();
    expect(await page.locator(".waterfall").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Canvas", exact: true }).isEnabled()).toBe(true);
    answer.release();
    await page.locator(".react-flow__nodes [data-step=step_5]").waitFor();
  });

  it("draws no step anew while it is moved", async () => {
    const run = await ended(ids.long);
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?view=canvas"));
    await page.locator(".react-flow__nodes [data-step=step_5]").waitFor();
    const changes = await page.evaluate(async () => {
      const nodes = document.querySelector(".react-flow__nodes");
      const pane = document.querySelector(".react-flow__pane");
      const view = document.querySelector<HTMLElement>(".react-flow__viewport");
      if (nodes === null || pane === null || view === null) throw new Error("There is no canvas.");
      const before = view.style.transform;
      let count = 0;
      const observer = new MutationObserver((records) => {
        count += records.length;
      });
      observer.observe(nodes, { subtree: true, childList: true, attributes: true, characterData: true });
      for (let step = 0; step < 20; step++) {
        pane.dispatchEvent(new WheelEvent("wheel", { deltaY: 40, bubbles: true, cancelable: true }));
        await new Promise(requestAnimationFrame);
      }
      observer.disconnect();
      return { count, isMoved: view.style.transform !== before };
    });
    expect(changes).toEqual({ count: 0, isMoved: true });
  });
});

describe("a list of items", () => {
  it("is one row, in which one goes from failure to failure", async () => {
    const run = await ended(ids.items);
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    const strip = page.getByRole("img", { name: "3 of 240 failed" });
    await strip.waitFor();
    // On the axis of all steps, below the bar of their own.
    const bar = await page.locator(".waterfall-row:has([data-row='items']) .row-button .bar").boundingBox();
    const cells = await strip.boundingBox();
    expect(cells?.x).toBeCloseTo(bar?.x ?? -1, 0);
    expect(cells?.width).toBeCloseTo(Math.max(bar?.width ?? -1, 3), 0);
    for (const index of [79, 159, 239]) {
      await page.keyboard.press("n");
      await page.waitForURL(new RegExp(`step=items&at=${index}&tab=error`));
      await inspector(page).getByText(`Item ${index} is not valid.`).waitFor();
    }
    await inspector(page).getByRole("tab", { name: "Items" }).click();
    await inspector(page)
      .getByRole("button", { name: /^Item 160\b/ })
      .click();
    await page.waitForURL(/at=159/);
    // People count from 1, expressions from 0.
    const heading = inspector(page).getByRole("heading", { level: 2, name: "items Item 160" });
    expect(await heading.getByTitle("Expressions count from 0: index 159.").count()).toBe(1);
    expect(await faults()).toEqual([]);
  });
});

describe("a run that goes on", () => {
  it("grows without moving the focus, the choice or what is read", async () => {
    const run = await start(ids.growing);
    await untilStep(server, run, "part_1", "running");
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run, "?step=start&tab=timing"));
    await row(page, "start").focus();
    for (const part of [1, 2, 3, 4, 5, 6]) {
      actor.release(`${run}-${part}`);
      await page.locator(`.waterfall-row.succeeded [data-row="part_${part}"]`).waitFor();
    }
    await page.locator(".page-head .status-sign.succeeded").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-row"))).toBe("start");
    expect(new URL(page.url()).search).toBe("?step=start&tab=timing");
    // Said to screen readers, too.
    await page.getByText("The run has ended: Succeeded.").waitFor({ state: "attached" });
  });

  it("says its end at once, and reads its final state, also while the stream of its events stays open", async () => {
    const run = await start(ids.growing);
    await untilStep(server, run, "part_1", "running");
    const { page, go } = await openConsole(browser, server);
    await page.addInitScript((run) => {
      const { fetch, setInterval: startInterval } = window;
      const states: unknown[] = [];
      Object.assign(window, { states });
      window.fetch = async (...request) => {
        const response = await fetch(...request);
        if (new URL(response.url).pathname.endsWith(`/runs/${run}`)) states.push(await response.clone().json());
        if (!response.url.endsWith("/events")) return response;
        const open = new TransformStream();
        // Leaving the page aborts the response.
        response.body?.pipeTo(open.writable, { preventClose: true }).catch(() => undefined);
        return new Response(open.readable, response);
      };
      // Sentences that wait for the next five seconds are never said.
      Reflect.set(window, "setInterval", (handler: () => void, every: number) =>
        every === 5_000 ? 0 : startInterval(handler, every),
      );
    }, run);
    await go(pathOf(run));
    await page.locator(".waterfall-row.running [data-row='part_1']").waitFor();
    for (const part of [1, 2, 3, 4, 5, 6]) actor.release(`${run}-${part}`);
    await page.getByText("The run has ended: Succeeded.").waitFor({ state: "attached" });
    const lastState = () => page.evaluate((): unknown => Reflect.get(window, "states").at(-1));
    await expect.poll(lastState).toMatchObject({ status: "succeeded" });
  });

  it("goes on after the server was away", async () => {
    const run = await start(ids.growing);
    await untilStep(server, run, "part_1", "running");
    const { page, complaints, go } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.locator(".waterfall-row.running [data-row='part_1']").waitFor();
    complaints.allow(/net::ERR_|Failed to fetch/);
    await server.down();
    await page.getByText("Connection lost. Trying again.").waitFor();
    actor.release(`${run}-1`);
    await untilStep(server, run, "part_1", "succeeded");
    await server.up();
    await page.locator(".waterfall-row.succeeded [data-row='part_1']").waitFor();
    await server.stepwell.runs.cancel(server.app.id, run);
    await page.locator(".page-head .status-sign.canceled").waitFor();
  });

  it("is canceled once a person says so, and retried", async () => {
    const run = await start(ids.growing);
    await untilStep(server, run, "part_1", "running");
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the run" }).click();
    await page.locator(".page-head .status-sign.canceled").waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
    await page.locator(".waterfall-row.running [data-row='part_1']").waitFor();
    actor.release(`${run}-1`);
    await page.locator(".waterfall-row.succeeded [data-row='part_1']").waitFor();
    await server.stepwell.runs.cancel(server.app.id, run);
    await page.locator(".page-head .status-sign.canceled").waitFor();
  });
});

describe("a run that waits for a person", () => {
  it("leads to the inbox, and shows which condition led there with its values", async () => {
    const run = await start(ids.loan, { amount: 2_500 });
    await untilStep(server, run, "approve", "waiting");
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run, "?step=approve&view=canvas"));
    const link = inspector(page).getByRole("link", { name: "Answer in the inbox" });
    expect(await link.getAttribute("href")).toBe(`/console/apps/${server.app.id}/inbox/${run}/approve`);
    await page.locator(".canvas-edge-label.taken", { hasText: "input.amount = 2500" }).waitFor();
    expect(await page.locator(".canvas-edge.taken").count()).toBe(3);
    expect(await faults()).toEqual([]);
    await go(pathOf(run, "?step=size"));
    await inspector(page).getByText("input.amount > 1000").waitFor();
    await server.stepwell.runs.provide(server.app.id, run, "approve", { ok: true });
    await page.locator(".page-head .status-sign.succeeded").waitFor();
  });
});

describe("a run that was tried several times", () => {
  it("marks each try with its own time and error", async () => {
    const run = await ended(ids.failing);
    const { page, go, faults } = await openConsole(browser, server, { colorScheme: "dark" });
    await go(pathOf(run, "?step=fetch&tab=timing"));
    await inspector(page).getByText("The address answered 503 (try 2).").waitFor();
    await expect.poll(() => page.locator(".waterfall .try").count()).toBe(3);
    expect(await page.locator(".waterfall .bar.retry").count()).toBeGreaterThan(0);
    expect(await faults()).toEqual([]);
  });
});

describe("outputs", () => {
  it("are shown as text, whatever stands in them", async () => {
    const run = await ended(ids.hostile);
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run, "?step=text"));
    const visible = HOSTILE_TEXT.replace("\u202E", "⟨U+202E⟩").replace("\u202C", "⟨U+202C⟩");
    await inspector(page).getByText(visible).waitFor();
    await go(pathOf(run, "?step=deep"));
    await inspector(page).getByRole("button", { name: "Tree" }).waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await faults()).toEqual([]);
  });

  it("are cut at 256 KiB, and read as a whole when asked for", async () => {
    const run = await ended(ids.hostile);
    const { page, go } = await openConsole(browser, server);
    const lengths: number[] = [];
    page.on("response", async (response) => {
      if (response.url().includes(`/runs/${run}`)) lengths.push((await response.body().catch(() => "")).length);
    });
    await go(pathOf(run, "?step=big"));
    await inspector(page)
      .getByText(/Showing the first 256 KiB of/)
      .waitFor();
    expect(Math.max(...lengths)).toBeLessThan(400_000);
    await inspector(page)
      .getByRole("button", { name: /Load all of it/ })
      .click();
    await inspector(page).getByText("Rows 1 to 100 of 60000").waitFor();
    expect(await inspector(page).locator("tbody tr").count()).toBe(100);
  });
});

describe("the page on a phone", () => {
  it("shows a step as a page of its own, and leads back", async () => {
    const run = await ended(ids.failing);
    const { page, go, faults } = await openConsole(browser, server, { viewport: { width: 390, height: 844 } });
    await go(pathOf(run));
    expect(await faults()).toEqual([]);
    await row(page, "fetch").click();
    await page.getByRole("heading", { name: "fetch", level: 1 }).waitFor();
    expect(await row(page, "fetch").count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await faults()).toEqual([]);
    await page.goBack();
    await row(page, "fetch").waitFor();
  });
});

describe("runs within runs, and other runs", () => {
  it("unfolds child runs in place", async () => {
    const run = await start(ids.parent);
    await untilStep(server, run, "children", "waiting");
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByRole("button", { name: "Show child runs" }).click();
    await expect.poll(() => page.locator(".child-runs li").count()).toBe(3);
    expect(await faults()).toEqual([]);
    // A child run is a run of its own, with a link back.
    const link = page.locator(".child-runs li").getByRole("link").first();
    const child = (await link.innerText()).trim();
    await link.click();
    await page.waitForURL(`**${pathOf(child)}`);
    await row(page, "fetch").waitFor();
    expect(await row(page, "children").count()).toBe(0);
    await page
      .locator(".page-head")
      .getByRole("link", { name: /another run|step of/ })
      .click();
    await page.waitForURL(`**${pathOf(run)}`);
    await row(page, "children").waitFor();
    await server.stepwell.runs.cancel(server.app.id, run);
    await page.locator(".page-head .status-sign.canceled").waitFor();
  });

  it("replays a run with another input, and compares the two", async () => {
    const run = await ended(ids.loan, { amount: 250 });
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByRole("button", { name: "Replay…" }).click();
    const amount = page.getByRole("dialog").getByRole("textbox", { name: "amount" });
    expect(await amount.inputValue()).toBe("250");
    await amount.fill("fifty");
    await amount.press("Enter");
    await page.locator(".error-summary").getByText("This is not a number.").waitFor();
    await amount.fill("50");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Start the run" }).click();
    await page.getByRole("link", { name: "a replay" }).waitFor();
    await page.locator(".page-head .status-sign.succeeded").waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Compare with…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: run }).click();
    await row(page, "bill").getByText("differs").waitFor();
    expect(await row(page, "start").getByText("differs").count()).toBe(1);
    expect(await faults()).toEqual([]);
  });
});
