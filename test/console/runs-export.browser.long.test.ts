/** Chosen runs as a file of JSON Lines. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole, type TabOptions } from "./support/console-tab.ts";
import { holdNext } from "./support/hold-next.ts";

const { browser, server } = await openBrowserAndServer({ appName: "Lending / 2" });
const { stepwell, app } = server;
const steps = [{ type: "input", key: "start", input: { n: { type: "number", name: "N" } } } as const];
const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Report", steps });
await stepwell.workflows.deploy(app.id, workflow);

async function createRuns(count: number, tag: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await stepwell.runs.create(app.id, workflow, { input: { n }, tags: [tag] });
    await stepwell.runs.wait(app.id, id);
    ids.unshift(id);
  }
  return ids;
}

const runs = (tag: string) => `/apps/${app.id}/runs?search=${tag}`;
const exportButton = (page: Page) => page.getByRole("button", { name: "Export", exact: true });
const progress = (page: Page) => page.locator(".bulk-progress");
const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const idsOf = (text: string) => linesOf(text).map((line) => Object(line).id);

/** A browser in which files can only be downloaded. */
async function openWithoutPicker(options: TabOptions = {}) {
  const tab = await openConsole(browser, server, options);
  await tab.page.addInitScript(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
  return tab;
}

async function chooseAll(page: Page, count: number): Promise<void> {
  await page.locator("[data-run]").first().waitFor();
  await page.getByRole("checkbox", { name: "Select all runs shown" }).check();
  await page.getByText(`${count} runs selected`).first().waitFor();
}

async function downloaded(page: Page, act: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent("download");
  await act();
  const file = await download;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

describe("an export of chosen runs", () => {
  it("has each run as the server returns it, in their order, and needs only runs:read", async () => {
    const ids = await createRuns(6, "chosen");
    const { key } = await server.createKey("runs:read");
    const { page, go, faults } = await openWithoutPicker({ key });
    let open = 0;
    let most = 0;
    await page.route(/\/runs\/run_\w+$/, async (route) => {
      most = Math.max(most, ++open);
      const response = await route.fetch();
      open--;
      await route.fulfill({ response });
    });
    await go(runs("chosen"));
    await chooseAll(page, 6);
    expect(await page.getByRole("button", { name: "Retry" }).isDisabled()).toBe(true);
    const { name, text } = await downloaded(page, () => exportButton(page).click());
    expect(name).toMatch(/^Lending-2-runs-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.jsonl$/);
    const wanted = await Promise.all(ids.map((id) => stepwell.runs.get(app.id, id)));
    expect(linesOf(text)).toEqual(JSON.parse(JSON.stringify(wanted)));
    expect(most).toBeLessThanOrEqual(4);
    await progress(page).getByText("Exporting runs · 6 of 6 · Finished").waitFor();
    await page.getByText("6 runs selected").first().waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await progress(page).waitFor({ state: "detached" });
  });

  it("has all that match, page by page", async () => {
    const ids = await createRuns(120, "matching");
    const { page, go } = await openWithoutPicker();
    await go(runs("matching"));
    await page.locator("[data-run]").first().waitFor();
    await page.getByRole("checkbox", { name: "Select all runs shown" }).check();
    await page.getByRole("button", { name: "Select all that match" }).click();
    const { text } = await downloaded(page, () => exportButton(page).click());
    expect(idsOf(text)).toEqual(ids);
    await progress(page).getByText("Exporting runs · 120 of 120 · Finished").waitFor();
  });

  it("leaves out a run that was deleted meanwhile, and says so", async () => {
    const ids = await createRuns(5, "deleted");
    const { page, go, complaints, faults } = await openWithoutPicker();
    complaints.allow(/404/);
    await go(runs("deleted"));
    await chooseAll(page, 5);
    await stepwell.runs.remove(app.id, ids[2] ?? "");
    const { text } = await downloaded(page, () => exportButton(page).click());
    expect(idsOf(text)).toEqual(ids.filter((_, index) => index !== 2));
    await progress(page).getByText("5 of 5 · Finished · 1 run left out").waitFor();
    await progress(page).getByRole("listitem").filter({ hasText: "Deleted" }).getByRole("link").waitFor();
    expect(await faults()).toEqual([]);
  });

  it("saves nothing when it is stopped", async () => {
    await createRuns(6, "stopped");
    const { page, go } = await openWithoutPicker();
    await go(runs("stopped"));
    await chooseAll(page, 6);
    const downloads: string[] = [];
    page.on("download", (download) => downloads.push(download.suggestedFilename()));
    const hold = holdNext(server, "GET", /\/runs\/run_\w+$/);
    await exportButton(page).click();
    await hold.arrived;
    // One export at once.
    await expect.poll(() => exportButton(page).getAttribute("aria-busy")).toBe("true");
    await progress(page).getByRole("button", { name: "Stop" }).click();
    await progress(page).getByText("Exporting runs · 0 of 6 · Stopped · No file was saved").waitFor();
    hold.release();
    await expect.poll(() => exportButton(page).getAttribute("aria-busy")).toBe("false");
    expect(downloads).toEqual([]);
  });

  it("goes on behind other screens, and when the server is back", async () => {
    const ids = await createRuns(6, "away");
    const { page, go, complaints } = await openWithoutPicker();
    complaints.allow(/net::ERR_/);
    await go(runs("away"));
    await chooseAll(page, 6);
    const hold = holdNext(server, "GET", /\/runs\/run_\w+$/);
    await exportButton(page).click();
    await hold.arrived;
    await page.getByRole("navigation").getByRole("link", { name: "Workflows" }).click();
    await page.getByRole("heading", { name: "Workflows", level: 1 }).waitFor();
    await server.down();
    await page.getByText(/^Offline since/).waitFor();
    hold.release();
    const { text } = await downloaded(page, () => server.up());
    expect(idsOf(text)).toEqual(ids);
    await page.getByRole("navigation").getByRole("link", { name: "Runs" }).click();
    await progress(page).getByText("6 of 6 · Finished").waitFor();
  });

  it("is stopped by signing out, which asks first, and is not shown to who comes next", async () => {
    await createRuns(2, "left");
    const { page, go, faults } = await openWithoutPicker();
    const held = holdNext(server, "GET", /\/runs\/run_\w+$/);
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      return questions.length === 1 ? dialog.dismiss() : dialog.accept();
    });
    await go(runs("left"));
    await chooseAll(page, 2);
    await exportButton(page).click();
    await held.arrived;
    const signOut = async () => {
      await page.getByRole("button", { name: "Tests" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
    };
    await signOut();
    await expect.poll(() => questions.length).toBe(1);
    expect(questions[0]).toContain("A running export");
    await progress(page).getByText("0 of 2").waitFor();
    await signOut();
    await page.getByLabel("API key").fill((await server.createKey()).key);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.locator("[data-run]").first().waitFor();
    expect(await progress(page).count()).toBe(0);
    held.release();
    expect(await faults()).toEqual([]);
  });

  it("ends when the server does not allow it any more", async () => {
    await createRuns(2, "refused");
    const { page, go, complaints } = await openWithoutPicker();
    complaints.allow(/403/);
    await page.route(/\/runs\/run_\w+$/, (route) =>
      route.fulfill({
        status: 403,
        contentType: "application/problem+json",
        body: JSON.stringify({ status: 403, code: "forbidden", title: "Forbidden", detail: "Not any more." }),
      }),
    );
    await go(runs("refused"));
    await chooseAll(page, 2);
    await exportButton(page).click();
    await progress(page).getByText("Exporting runs: Not any more. · 0 of 2 · Stopped · No file was saved").waitFor();
  });
});

describe("an export where the browser asks for a file", () => {
  /** The file is one of the browser's own, because nobody can choose one here. */
  async function openWithPicker() {
    const tab = await openConsole(browser, server);
    await tab.page.addInitScript(() => {
      Object.assign(window, {
        async showSaveFilePicker({ suggestedName }: { readonly suggestedName: string }) {
          if (sessionStorage.getItem("declines") !== null) throw new DOMException("Nobody chose.", "AbortError");
          sessionStorage.setItem("suggested", suggestedName);
          return (await navigator.storage.getDirectory()).getFileHandle("export", { create: true });
        },
      });
    });
    return tab;
  }

  it("writes it as it comes, and begins nothing if none is chosen", async () => {
    const ids = await createRuns(5, "picked");
    const { page, go } = await openWithPicker();
    await go(runs("picked"));
    await chooseAll(page, 5);
    await exportButton(page).click();
    await progress(page).getByText("5 of 5 · Finished").waitFor();
    const read = () =>
      page.evaluate(async () => {
        const handle = await (await navigator.storage.getDirectory()).getFileHandle("export");
        return (await handle.getFile()).text();
      });
    await expect.poll(async () => idsOf(await read())).toEqual(ids);
    expect(await page.evaluate(() => sessionStorage.getItem("suggested"))).toMatch(/^Lending-2-runs-.*\.jsonl$/);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.evaluate(() => sessionStorage.setItem("declines", ""));
    await expect.poll(() => exportButton(page).getAttribute("aria-disabled")).toBe("false");
    await exportButton(page).click();
    await expect.poll(() => exportButton(page).getAttribute("aria-busy")).toBe("false");
    expect(await progress(page).count()).toBe(0);
  });
});
