/** Drafts in several tabs, and with a server that is slow or gone: nothing is lost, and nothing is overwritten. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { createGate } from "../../support/gate.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow, storedDraft, untilStored } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const code = (key: string): Step => ({ type: "code", key, code: "return 1" });

async function removeStep(page: Page, key: string): Promise<void> {
  await page.getByRole("treeitem", { name: new RegExp(`^${key} `) }).focus();
  await page.keyboard.press("Delete");
  await page.getByRole("treeitem", { name: new RegExp(`^${key} `) }).waitFor({ state: "detached" });
}

/** The keys of the steps of the only draft that the browser keeps; null if it keeps none. */
const keptSteps = (page: Page): Promise<string[] | null> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open("stepwell-console");
        // Without the console, there is no database.
        request.onupgradeneeded = () => request.transaction?.abort();
        request.onerror = () => resolve(null);
        request.onsuccess = () => {
          const all = request.result.transaction("drafts").objectStore("drafts").getAll();
          all.onsuccess = () => {
            request.result.close();
            const [kept] = all.result;
            resolve(kept?.definition.steps.map(({ key }: { key: string }) => key) ?? null);
          };
        };
      }),
  );

const FAILED = /Failed to load resource|response 50\d/;

describe("an open editor", () => {
  it("follows a deployment from elsewhere, with the stream of the app and without it", async () => {
    for (const hasStream of [true, false]) {
      const { id, path } = await createWorkflow(server, `Deployed elsewhere ${hasStream}`, [code("a"), code("b")]);
      const { workflows } = server.stepwell;
      await workflows.deploy(server.app.id, id);
      const { page, go, complaints } = await openConsole(browser, server);
      complaints.allow(FAILED);
      if (!hasStream) await page.route("**/stream", (route) => route.abort());
      await go(`${path}?view=outline`);
      await page.getByText("Deployed as v1").waitFor();
      await removeStep(page, "b");
      await untilStored(server, id, ["a"]);
      await page.getByText("1 change since v1").waitFor();
      await workflows.deploy(server.app.id, id);
      await page.getByText("Deployed as v2").waitFor();
    }
  });
});

describe("a draft", () => {
  it("of two tabs is never overwritten: a clash shows both sides", async () => {
    const { id, path } = await createWorkflow(server, "Two tabs", [code("a"), code("b"), code("c")]);
    const first = await openConsole(browser, server);
    const second = await openConsole(browser, server);
    await first.go(`${path}?view=outline`);
    await second.go(`${path}?view=outline`);
    // Each tab has its change before it hears of the other one's.
    await second.page.route("**/draft", async (route) => {
      if (route.request().method() === "GET") await route.abort();
      else await route.continue();
    });
    second.complaints.allow(FAILED);
    await removeStep(first.page, "a");
    await untilStored(server, id, ["b", "c"]);
    await removeStep(second.page, "c");
    await second.page.unroute("**/draft");
    await second.page.getByRole("dialog", { name: "Somebody else changed this draft" }).waitFor();
    expect(await second.faults()).toEqual([]);
    expect((await storedDraft(server, id)).steps.map(({ key }) => key)).toEqual(["b", "c"]);
    await second.page.getByRole("button", { name: "Keep both" }).click();
    await untilStored(server, id, ["b"]);
    // The tab without changes follows.
    await first.page.getByRole("treeitem", { name: /^c / }).waitFor({ state: "detached" });
  });

  it("is stored when the server is back, and the page says so meanwhile", async () => {
    const { id, path } = await createWorkflow(server, "Away", [code("a"), code("b")]);
    const { page, go, complaints } = await openConsole(browser, server);
    // What the panel of a step needs is loaded.
    await go(`${path}?view=outline&step=b`);
    await page.getByRole("textbox", { name: "Code", exact: true }).waitFor();
    complaints.allow(FAILED);
    await server.down();
    await removeStep(page, "a");
    await page.getByText(/^Kept here only since/).waitFor();
    await server.up();
    await untilStored(server, id, ["b"]);
    await page.getByText(/^Saved \d/).waitFor();
  });

  it("whose deployment cannot be prepared says why once", async () => {
    const { id, path } = await createWorkflow(server, "Deployed offline", [code("a"), code("b")]);
    await server.stepwell.workflows.deploy(server.app.id, id);
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(FAILED);
    const broken = { status: 500, json: { title: "Internal error", status: 500, detail: "The storage failed." } };
    for (const part of ["**/uses*", "**/versions/1"]) await page.route(part, (route) => route.fulfill(broken));
    await go(`${path}?view=outline`);
    await removeStep(page, "a");
    await page.getByRole("button", { name: "Deploy v2…" }).click();
    const errors = page.getByRole("dialog", { name: "Deploy version 2" }).getByRole("alert");
    await errors.first().waitFor();
    await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0);
    await expect.poll(() => errors.count()).toBe(1);
  });

  it("comes back after the page was loaded again while the server was gone", async () => {
    const { id, path } = await createWorkflow(server, "Reload", [code("a"), code("b")]);
    const { page, go, complaints } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    complaints.allow(FAILED);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.route("**/draft", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
    await removeStep(page, "a");
    await page.getByText(/^Kept here only since/).waitFor();
    await page.reload();
    await page.getByRole("treeitem", { name: /^b / }).waitFor();
    expect(await page.getByRole("treeitem").count()).toBe(1);
    expect((await storedDraft(server, id)).steps).toHaveLength(2);
    await page.unroute("**/draft");
    await untilStored(server, id, ["b"]);
  });

  it("includes the key that is being typed when the page is left", async () => {
    const { id, path } = await createWorkflow(server, "Half a key", [code("a")]);
    const { page, go } = await openConsole(browser, server);
    await go(`${path}?view=outline&step=a`);
    const key = page.getByLabel("Key", { exact: true });
    await key.fill("renamed");
    let asked = 0;
    page.on("dialog", (dialog) => {
      asked++;
      void dialog.accept();
    });
    await page.reload();
    await untilStored(server, id, ["renamed"]);
    expect(asked).toBeLessThan(2);
  });

  it("is kept by the browser also after its storage was cleared", async () => {
    const { id, path } = await createWorkflow(server, "Cleared", [code("a"), code("b"), code("c")]);
    const { page, go, complaints } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    complaints.allow(FAILED);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.route("**/draft", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
    await removeStep(page, "a");
    await page.getByText(/^Kept here only since/).waitFor();
    const { origin } = new URL(page.url());
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
    expect(await keptSteps(page)).toBeNull();
    await removeStep(page, "b");
    await expect.poll(() => keptSteps(page)).toEqual(["c"]);
    await page.reload();
    await page.getByRole("treeitem", { name: /^c / }).waitFor();
    expect(await page.getByRole("treeitem").count()).toBe(1);
    await page.unroute("**/draft");
    await untilStored(server, id, ["c"]);
  });

  it.each([
    [
      "is full",
      () =>
        (IDBObjectStore.prototype.put = () => {
          throw new DOMException("full", "QuotaExceededError");
        }),
    ],
    [
      "is refused",
      () =>
        (IDBFactory.prototype.open = () => {
          throw new DOMException("denied", "SecurityError");
        }),
    ],
    ["is missing", () => Object.defineProperty(window, "indexedDB", { value: undefined })],
    ["never answers", () => (IDBFactory.prototype.open = () => Object.create(null))],
  ])("is said to be stored nowhere while the server is gone and the storage of the browser %s", async (_, spoil) => {
    const { id, path } = await createWorkflow(server, "Nowhere", [code("a"), code("b")]);
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(FAILED);
    await page.addInitScript(spoil);
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await go(`${path}?view=outline`);
    await page.route("**/draft", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
    await removeStep(page, "b");
    await page.getByText("Not stored anywhere: keep this page open").waitFor();
    await page.getByRole("link", { name: "Files" }).click();
    await expect.poll(() => questions.at(-1)).toContain("neither by the server nor in this browser");
    await page.unroute("**/draft");
    await untilStored(server, id, ["a"]);
  });

  it("is stored once if the response was lost", async () => {
    const { id, path } = await createWorkflow(server, "Lost", [code("a"), code("b")]);
    const { page, go, complaints } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    complaints.allow(FAILED);
    let lost = 0;
    await page.route("**/draft", async (route) => {
      if (route.request().method() !== "PUT" || lost++ > 0) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await removeStep(page, "a");
    await page.getByText(/^Saved \d/).waitFor();
    expect((await storedDraft(server, id)).revision).toBe(2);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("is no clash with itself if the response was lost and it was changed since", async () => {
    const { id, path } = await createWorkflow(server, "Lost and changed", [code("a"), code("b"), code("c")]);
    const { page, go, complaints } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    complaints.allow(FAILED);
    let isFirst = true;
    await page.route("**/draft", async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      if (isFirst) await route.fetch();
      isFirst = false;
      return route.abort();
    });
    await removeStep(page, "a");
    await page.getByText(/^Kept here only since/).waitFor();
    await removeStep(page, "b");
    await page.unroute("**/draft");
    await untilStored(server, id, ["c"]);
    await page.getByText(/^Saved \d/).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect((await storedDraft(server, id)).revision).toBe(3);
  });

  it("is saved as a new workflow if somebody else has deleted its workflow", async () => {
    const { stepwell, app } = server;
    const { id, path } = await createWorkflow(server, "Deleted elsewhere", [code("a"), code("b")]);
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}?view=outline`);
    await removeStep(page, "a");
    await untilStored(server, id, ["b"]);
    await stepwell.workflows.remove(app.id, id);
    await page.getByText("Somebody has deleted this workflow.").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Save as a new workflow" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    const copy = page.url().split("/").at(-1)?.split("?")[0] ?? "";
    await untilStored(server, copy, ["b"]);
    await page.getByText("Somebody has deleted this workflow.").waitFor({ state: "detached" });
  });

  it("is deployed once, also if the response is lost", async () => {
    const { stepwell, app } = server;
    const { id, path } = await createWorkflow(server, "Deployed once", [code("a")]);
    const { page, go, complaints } = await openConsole(browser, server);
    complaints.allow(FAILED);
    await go(`${path}?view=outline`);
    let isLost = true;
    await page.route("**/versions", async (route) => {
      if (route.request().method() !== "POST" || !isLost) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole("button", { name: /^Deploy v1/ }).click();
    const deploy = page.getByRole("dialog").getByRole("button", { name: /^Deploy v/ });
    await deploy.click();
    await page.getByRole("dialog").getByText("The server cannot be reached").first().waitFor();
    isLost = false;
    // The page may have seen meanwhile that it is deployed.
    if (await deploy.isEnabled()) await deploy.click();
    await expect.poll(async () => (await stepwell.workflows.listVersions(app.id, id)).items.length).toBe(1);
  });

  it("leaves nothing in the browser after signing out, and says so before", async () => {
    const { path } = await createWorkflow(server, "Sign out", [code("a"), code("b")]);
    const { page, go, complaints } = await openConsole(browser, server);
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.accept();
    });
    await go(`${path}?view=outline`);
    complaints.allow(FAILED);
    await page.route("**/draft", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
    await removeStep(page, "a");
    await page.getByText(/^Kept here only since/).waitFor();
    await page.getByRole("button", { name: "Tests" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([]);
    expect(questions).toEqual([expect.stringContaining("Draft changes that are not on the server")]);
  });

  it("is stored before the session ends, also on another screen", async () => {
    const { stepwell, app } = server;
    const { id, path } = await createWorkflow(server, "Stored at the end", [code("a"), code("b")]);
    const { page, go, faults } = await openConsole(browser, server);
    const [asked, answer] = [createGate(), createGate()];
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "DELETE") calls.push("sign out");
    });
    await page.route("**/draft", async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      asked.release();
      await answer.released;
      await route.continue();
      calls.push("store");
    });
    await go(`${path}?view=outline`);
    await removeStep(page, "a");
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Tests" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await asked.released;
    answer.release();
    await page.getByLabel("API key").waitFor();
    expect(calls).toEqual(["store", "sign out"]);
    expect((await stepwell.workflows.getDraft(app.id, id)).steps.map(({ key }) => key)).toEqual(["b"]);
    expect(await faults()).toEqual([]);
  });
});
