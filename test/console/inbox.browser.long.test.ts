/** The inbox of the console, in a real browser. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { InputDefinition } from "../../src/index.ts";
import { until } from "../support/until.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const ASKED: InputDefinition = {
  about: { type: "content", content: "Look at the **documents** first.", order: 0 },
  limit: { type: "number", name: "Limit", order: 1 },
  ok: { type: "boolean", name: "Approve", order: 2 },
};

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const steps = [
  { type: "input" as const, key: "start", input: {}, destinations: ["approve"] },
  { type: "input" as const, key: "approve", input: ASKED },
];
const { id: workflowId } = await stepwell.workflows.create(app.id, { name: "Approval", steps });
await stepwell.workflows.deploy(app.id, workflowId);

/** A run that waits at `approve`. */
async function waitingRun(tag: string): Promise<string> {
  const { id } = await stepwell.runs.create(app.id, workflowId, { tags: [tag] });
  await until(async () => (await stepwell.runs.get(app.id, id)).status === "waiting");
  return id;
}

const pathOf = (runId: string) => `/apps/${server.app.id}/inbox/${runId}/approve`;

describe("the inbox", () => {
  it("says why an answer was refused that still waits", async () => {
    const run = await waitingRun("busy");
    const { page, go } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByLabel("Limit").fill("1");
    onTestFinished(() => server.intercept(() => false));
    server.intercept(({ method, url = "" }, response) => {
      if (method !== "POST" || !url.includes("/approve")) return false;
      response.writeHead(409, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ status: 409, code: "conflict", title: "Conflict", detail: "The run is paused." }));
      return true;
    });
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("The run is paused.").waitFor();
    expect(await page.getByLabel("Limit").inputValue()).toBe("1");
    server.intercept(() => false);
    await stepwell.runs.provide(app.id, run, "approve", { limit: 1, ok: true });
  });

  it("is answered without a mouse: j, k, Enter, and on to the next entry", async () => {
    const runs = [await waitingRun("one"), await waitingRun("two")];
    const { page, go, faults } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/inbox`);
    // Where there is room, the first entry is open.
    await page.waitForURL(`**${pathOf(runs[0] ?? "")}`);
    for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
    await page.waitForURL(`**${pathOf(runs[0] ?? "")}`);
    // The focus goes along in the list, which says what is open.
    await focusAt(page, ".inbox-list a[aria-current=page]", "one");
    await page.getByText("Look at the documents first.").waitFor();
    expect(await faults()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.keyboard.type("many");
    await page.keyboard.press("Control+Enter");
    await page.locator(".error-summary").getByText("Limit: This is not a number.").waitFor();
    await page.getByLabel("Limit").fill("1,500");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Send" }).press("Enter");
    await page.getByText("Sent. The run continues.").waitFor();
    const { steps } = await server.stepwell.runs.wait(server.app.id, runs[0] ?? "");
    expect(steps.find(({ key }) => key === "approve")?.output).toEqual({ limit: 1500, ok: true });
    await page.getByRole("button", { name: "Next entry" }).press("Enter");
    await page.waitForURL(`**${pathOf(runs[1] ?? "")}`);
    await server.stepwell.runs.provide(server.app.id, runs[1] ?? "", "approve", { limit: 1, ok: true });
  });

  it("sends nothing by accident: neither with Enter in a field, nor without a yes or no", async () => {
    const run = await waitingRun("careful");
    const { page, go } = await openConsole(browser, server);
    const sent: string[] = [];
    const refused: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET" && request.url().includes(run)) sent.push(request.url());
    });
    page.on("response", (response) => {
      if (response.status() >= 400 && response.request().method() === "GET")
        refused.push(`${response.status()} ${response.url()}`);
    });
    await go(pathOf(run));
    const question = page.getByRole("radiogroup", { name: "Approve" });
    expect(await question.getByRole("radio", { checked: true }).count()).toBe(0);
    await page.getByLabel("Limit").fill("3");
    await page.getByLabel("Limit").press("Enter");
    await question.getByRole("radio", { name: "No" }).press("Enter");
    expect(sent).toEqual([]);
    await page.getByLabel("Limit").press("Control+Enter");
    await page
      .locator(".error-summary")
      .getByText(/^Approve:/)
      .waitFor();
    await question.getByRole("radio", { name: "No" }).check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Sent. The run continues.").waitFor();
    const { steps } = await server.stepwell.runs.wait(server.app.id, run);
    expect(steps.find(({ key }) => key === "approve")?.output).toEqual({ limit: 3, ok: false });
    // The list no longer has the entry, and what no longer waits was not read again.
    await page.locator(".inbox-list").getByText("careful").waitFor({ state: "detached" });
    expect(refused).toEqual([]);
    // Going back shows that it was this page that has answered.
    await page.getByRole("link", { name: "Open the run" }).click();
    await page.getByRole("region", { name: "Views of the run" }).waitFor();
    await page.goBack();
    await page.getByText(/You answered this at /).waitFor();
    expect(await page.getByText("What you typed was not sent").count()).toBe(0);
  });

  it("shows what the run was given, with the labels of its fields and links to its files", async () => {
    const given: InputDefinition = {
      purpose: { type: "string", name: "Purpose", order: 0 },
      amount: { type: "number", name: "Amount in euros", order: 1 },
      travel: { type: "boolean", name: "Business trip", order: 2 },
      kind: { type: "select", name: "Kind", options: [{ value: "h", label: "Hotel" }], order: 3 },
      receipt: { type: "file", name: "Receipts", array: true, order: 4 },
    };
    const steps = [
      { type: "input" as const, key: "expense", input: given, destinations: ["approve"] },
      { type: "input" as const, key: "approve", input: ASKED },
    ];
    const { id } = await stepwell.workflows.create(app.id, { name: "Expenses", steps });
    await stepwell.workflows.deploy(app.id, id);
    const file = await stepwell.files.create(app.id, {
      name: "hotel.txt",
      body: new TextEncoder().encode("Two nights"),
    });
    const input = { purpose: "Fair ".repeat(200), amount: 1234.5, travel: true, kind: "h", receipt: [file.id] };
    const run = await stepwell.runs.create(app.id, id, { input });
    await until(async () => (await stepwell.runs.get(app.id, run.id)).status === "waiting");
    const { page, go, faults } = await openConsole(browser, server);
    // Entries of the same step are told apart by what their runs were given.
    await go(`/apps/${app.id}`);
    const line = `Purpose: ${"Fair ".repeat(16).trim()}… · Amount in euros: 1234.5 · Business trip: Yes`;
    await page.getByRole("listitem").filter({ hasText: "Expenses" }).getByText("Business trip: Yes").waitFor();
    await go(`/apps/${app.id}/inbox/${run.id}/approve`);
    const entry = page.getByRole("link", { name: /^approve .* Purpose: Fair/ });
    await entry.waitFor();
    expect((await entry.locator(".given-values > span").allInnerTexts()).join(" · ")).toBe(line);
    await page.getByRole("heading", { name: "approve · Expenses" }).waitFor();
    const shown = page.locator(".run-input");
    const link = shown.getByRole("link", { name: "hotel.txt" });
    const url = (await link.getAttribute("href")) ?? "";
    expect(await (await fetch(url)).text()).toBe("Two nights");
    const rows = await shown.locator("dl > div").allInnerTexts();
    expect(rows.map((row) => row.split("\n")[0])).toEqual(Object.values(given).map(({ name }) => name));
    expect(rows.slice(1, 4).map((row) => row.split("\n").at(-1))).toEqual(["1234.5", "Yes", "Hotel"]);
    expect(rows[0]?.length).toBeLessThan(500);
    expect(await faults()).toEqual([]);
    await stepwell.runs.cancel(app.id, run.id);
  });

  it("says that somebody else has answered meanwhile, and keeps what was typed readable", async () => {
    const run = await waitingRun("raced");
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByLabel("Limit").fill("7");
    await server.stepwell.runs.provide(server.app.id, run, "approve", { limit: 1, ok: false });
    await page.getByLabel("Limit").press("Control+Enter");
    await page.getByRole("alert").getByText("This step no longer waits.").waitFor();
    expect(await page.getByLabel("Limit").inputValue()).toBe("7");
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    expect(await faults()).toEqual([]);
  });

  it("does not take the answer of somebody else for one that was refused", async () => {
    const run = await waitingRun("refused");
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(/status of 4(09|22)/);
    await go(pathOf(run));
    await page.getByLabel("Limit").press("Control+Enter");
    await page.locator(".error-summary").waitFor();
    await page.getByLabel("Limit").fill("7");
    await stepwell.runs.provide(app.id, run, "approve", { limit: 1, ok: false });
    await page.getByRole("alert").getByText("This step no longer waits.").waitFor();
    expect(await page.getByLabel("Limit").inputValue()).toBe("7");
    expect(await page.getByText("Sent. The run continues.").count()).toBe(0);
  });

  it("withdraws a public link that is shown when somebody answers elsewhere", async () => {
    const run = await waitingRun("elsewhere");
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByRole("button", { name: "Public link" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    const dialog = page.getByRole("dialog", { name: "Public link to this form" });
    await dialog.getByRole("img", { name: "QR code of the address" }).waitFor();
    await server.stepwell.runs.provide(server.app.id, run, "approve", { limit: 1, ok: false });
    await dialog.getByText("This step no longer waits.").waitFor();
    expect(await dialog.getByRole("img").count()).toBe(0);
    expect(await dialog.getByRole("button").count()).toBe(1);
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    for (const name of ["Send", "Public link"]) {
      const button = page.getByRole("button", { name, exact: true });
      expect(await button.getAttribute("aria-disabled"), name).toBe("true");
      expect(await button.getAttribute("title"), name).toBe("This step no longer waits.");
    }
  });

  it("creates a public link with a QR code, and revokes it", async () => {
    const run = await waitingRun("shared");
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByRole("button", { name: "Public link" }).click();
    await page.getByLabel("Language of the page").selectOption("de");
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("img", { name: "QR code of the address" }).waitFor();
    expect(await faults()).toEqual([]);
    const url = await page.getByRole("textbox", { name: "Address" }).inputValue();
    const open = async () => (await fetch(url, { headers: { accept: "text/html" } })).status;
    expect(await open()).toBe(200);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The link was revoked.").waitFor();
    expect(await open()).toBe(404);
    await server.stepwell.runs.provide(server.app.id, run, "approve", { limit: 1, ok: false });
  });

  it("says what a public link shows, and that it was used as soon as the form was sent", async () => {
    const run = await waitingRun("used");
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByRole("button", { name: "Public link" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Public link" }).click();
    await page.getByText("never the input of the run").waitFor();
    await page.getByRole("button", { name: "Create link" }).click();
    const dialog = page.getByRole("dialog", { name: "Public link to this form" });
    await dialog.getByText(/Valid until/).waitFor();
    const url = await page.getByRole("textbox", { name: "Address" }).inputValue();
    const sent = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ limit: 1, ok: true }),
    });
    expect(sent.status).toBe(200);
    await dialog.getByText(/^The form was sent through this link on /).waitFor();
    expect(await dialog.getByText(/Valid until/).count()).toBe(0);
    expect(await dialog.getByRole("button", { name: "Revoke" }).count()).toBe(0);
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByText("1 public link", { exact: true }).click();
    const link = page.locator(".entry-links").getByRole("listitem");
    expect(await link.innerText()).toMatch(/Answered.*Created .*Used /s);
    expect(await link.innerText()).not.toMatch(/Valid until|Open/);
    expect(await link.getByRole("button").count()).toBe(0);
  });

  it("lists the links that were created earlier, and withdraws them", async () => {
    const run = await waitingRun("listed");
    const { inputs } = server.stepwell.as({ id: "u_1", name: "Ann" });
    const { url } = await inputs.createLink(server.app.id, run, "approve", { title: "For the <b>bank</b>" });
    await inputs.createLink(server.app.id, run, "approve", { title: "For the office" });
    const { page, go, faults } = await openConsole(browser, server);
    await go(pathOf(run));
    await page.getByText("2 public links").click();
    const bank = page.getByRole("listitem").filter({ hasText: "For the <b>bank</b>" });
    expect(await bank.innerText()).toMatch(/Open.*Created .* by Ann.*Valid until.*Not used/s);
    expect(await faults()).toEqual([]);
    await bank.getByRole("button", { name: "Revoke: For the <b>bank</b>" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("1 public link", { exact: true }).waitFor();
    expect((await fetch(url)).status).toBe(404);
    await server.stepwell.runs.provide(server.app.id, run, "approve", { limit: 1, ok: false });
  });

  it("counts what waits, as it comes and goes", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/inbox`);
    await page.getByText("Nothing is waiting.").waitFor();
    const run = await waitingRun("counted");
    await page.getByRole("link", { name: /Inbox\s*1 waiting/ }).waitFor();
    await page.getByText("counted", { exact: true }).waitFor();
    await server.stepwell.runs.provide(server.app.id, run, "approve", { limit: 1, ok: false });
    await page.getByText("Nothing is waiting.").waitFor();
  });

  it("shows what keys do where there is a keyboard", async () => {
    const run = await waitingRun("keys");
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/inbox`);
    const hint = page.getByText("j and k move, Enter goes to the form.");
    await hint.waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => hint.isVisible()).toBe(false);
    await server.stepwell.runs.provide(server.app.id, run, "approve", { limit: 1, ok: false });
  });

  it.each(["light", "dark"] as const)("is accessible in %s on a phone", async (colorScheme) => {
    const run = await waitingRun(colorScheme);
    const settings = { colorScheme, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const { page, go, faults } = await openConsole(browser, server, settings);
    await go(`/apps/${server.app.id}/inbox`);
    await page.getByText(colorScheme, { exact: true }).tap();
    await page.getByLabel("Limit").waitFor();
    expect(await faults()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.getByRole("link", { name: "All entries" }).tap();
    await page.waitForURL(/\/inbox$/);
    await server.stepwell.runs.provide(server.app.id, run, "approve", { limit: 1, ok: false });
  });
});

it("has rows that read from right to left in Arabic, and names before their values", async () => {
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Loan",
    steps: [
      {
        ...{ type: "input", key: "start", destinations: ["approve"] },
        input: { count: { type: "number", order: 0 }, mode: { type: "string", order: 1 } },
      },
      { type: "input", key: "approve", input: ASKED },
    ],
  });
  await stepwell.workflows.deploy(app.id, id);
  const { id: runId } = await stepwell.runs.create(app.id, id, { tags: ["vip"], input: { count: 11, mode: "wait" } });
  await until(async () => (await stepwell.runs.get(app.id, runId)).status === "waiting");
  const { page, go } = await openConsole(browser, server, { locale: "ar" });
  await go(`/apps/${app.id}/inbox/${runId}/approve`);
  const row = page.locator(".inbox-list a[aria-current=page]");
  await row.locator(".given-values").waitFor();
  const edges = await row.evaluate((link) => {
    const place = (text: string) => {
      const nodes = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
      while (nodes.nextNode()) {
        const at = nodes.currentNode.textContent?.indexOf(text) ?? -1;
        if (at === -1) continue;
        const range = document.createRange();
        range.setStart(nodes.currentNode, at);
        range.setEnd(nodes.currentNode, at + text.length);
        const { left, right } = range.getBoundingClientRect();
        return { left, right };
      }
      return { left: Number.NaN, right: Number.NaN };
    };
    const tag = link.querySelector(".entry-tag")?.getBoundingClientRect().right ?? Number.NaN;
    return {
      ...{ step: place("approve"), workflow: place("Loan"), tag },
      ...{ count: place("count"), eleven: place("11"), mode: place("mode"), wait: place("wait") },
    };
  });
  expect(edges.step.right).toBeCloseTo(edges.workflow.right, 0);
  expect(edges.workflow.left - edges.tag).toBeGreaterThan(4);
  expect(edges.count.right).toBeLessThan(edges.eleven.left);
  expect(edges.mode.right).toBeLessThan(edges.wait.left);
  expect(edges.wait.right).toBeLessThan(edges.count.left);
  await stepwell.runs.cancel(app.id, runId);
});
