/** Forms of the console, in a real browser: without a mouse, with lines that break, and on a phone. */
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { describe, expect, it, onTestFinished } from "vitest";
import { defineService, type InputDefinition } from "../../src/index.ts";
import { createGate } from "../support/gate.ts";
import { until } from "../support/until.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { EVERY_FIELD } from "./support/every-field.ts";
import { PNG } from "./support/png.ts";

const bank = defineService({
  name: "bank",
  title: "Bank",
  connection: v.object({ token: v.pipe(v.string(), v.title("Token"), v.minLength(3)) }),
  actions: { look: { input: v.object({}), output: v.object({}), run: async () => ({}) } },
});

const { browser, server } = await openBrowserAndServer({ services: [bank] });

/** A workflow that asks for these fields. Returns the path of its run form. */
async function formOf(input: InputDefinition): Promise<string> {
  const { stepwell, app } = server;
  const defaults = Object.hasOwn(input, "rate") ? { rate: 3 } : null;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Loan",
    input,
    input_default: defaults,
    steps: [],
  });
  await stepwell.workflows.deploy(app.id, id);
  return `/apps/${app.id}/workflows/${id}/new-run`;
}

/** The input of the run that the page has started. */
async function started(page: Page) {
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/run_/);
  const id = page.url().split("/").at(-1) ?? "";
  return (await server.stepwell.runs.get(server.app.id, id)).input;
}

/** Presses Tab until a control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      if (element === null) return "";
      const labels =
        element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement
          ? [...(element.labels ?? [])]
          : [];
      return element.getAttribute("aria-label") ?? labels[0]?.textContent ?? element.textContent ?? "";
    });
    if (focused.replace(/ \(optional\)$/, "") === name) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

describe("the run form", () => {
  it("says in the language of the page what the server refuses", async () => {
    const { page, go } = await openConsole(browser, server, { locale: "de" });
    await go(await formOf({ reason: { type: "string", name: "Grund" } }));
    await page.getByRole("button", { name: "Lauf starten" }).click();
    await page.locator(".error-summary").getByText("Grund: Füllen Sie dieses Feld aus.").waitFor();
  });

  it("says that a number is none as soon as it is left, and that the call lacks it", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(await formOf({ amount: { type: "number", name: "Amount" } }));
    await page.getByLabel("Amount").fill("12,5o");
    await page.keyboard.press("Tab");
    const message = page.getByText("This is not a number. Write it like 1,234.5.");
    await message.first().waitFor();
    await page.getByText("Not included, because it cannot be read: Amount").waitFor();
    await page.getByRole("button", { name: "Start run" }).click();
    await page.locator(".error-summary").getByText("Amount: This is not a number.").waitFor();
    expect(await page.getByText("Is required.").count()).toBe(0);
    await page.getByLabel("Amount").fill("12.5");
    await expect.poll(() => message.locator("visible=true").count()).toBe(0);
    await expect.poll(() => page.getByText("Not included").count()).toBe(0);
    expect(await started(page)).toEqual({ amount: 12.5 });
  });

  it("is filled in without a mouse, with fields of every type", async () => {
    const { page, go, faults } = await openConsole(browser, server, { timezoneId: "Europe/Berlin" });
    await go(await formOf(EVERY_FIELD));
    const type = (text: string) => page.keyboard.type(text);
    const press = (key: string) => page.keyboard.press(key);
    await tabTo(page, "Applicant");
    await type("Ada");
    await tabTo(page, "Website");
    await type("https://example.com/ada");
    await tabTo(page, "Amount");
    await type("250,000.5");
    await tabTo(page, "Months");
    await type("36");
    await tabTo(page, "Insured");
    await press("Space");
    await tabTo(page, "No answer");
    await press("ArrowUp");
    await tabTo(page, "Date of birth");
    await type("12101985");
    await tabTo(page, "Best time to call");
    await type("0930AM");
    await tabTo(page, "Meeting");
    await type("01312027");
    await press("Tab");
    await type("0930AM");
    await tabTo(page, "CarNew or used.");
    await press("Space");
    await press("ArrowDown");
    await tabTo(page, "Branch");
    await type("west");
    await tabTo(page, "Choose files");
    const choosing = page.waitForEvent("filechooser");
    await press("Enter");
    await (await choosing).setFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("Hello") });
    await page.getByText("Uploaded").waitFor();
    await tabTo(page, "Street");
    await type("Main");
    await tabTo(page, "Add a value");
    await press("Enter");
    await type("zip");
    await press("Tab");
    await press("Tab");
    await type("007");
    await tabTo(page, "Fill in Guarantor");
    await press("Enter");
    await type("Charles");
    await tabTo(page, "Add to Notes");
    await press("Enter");
    await type("first");
    await press("Enter");
    await type("second");
    await tabTo(page, "term");
    await press("Space");
    await tabTo(page, "Add to Debts");
    await press("Enter");
    await type("Bank");
    await press("Tab");
    await type("-1.5");
    expect(await faults()).toEqual([]);
    const { documents, ...input } = await started(page);
    expect(input).toEqual({
      name: "Ada",
      site: "https://example.com/ada",
      amount: 250_000.5,
      months: 36,
      insured: false,
      known: false,
      born: "1985-12-10",
      call: "09:30",
      meeting: "2027-01-31T08:30:00Z",
      purpose: "house",
      branch: "west",
      address: { street: "Main", zip: "007" },
      guarantor: { name: "Charles" },
      notes: ["first", "second"],
      topics: ["term"],
      debts: [{ to: "Bank", sum: -1.5 }],
      hidden: "web",
    });
    expect(documents).toHaveLength(1);
  });

  it("creates a connection on the way, and takes a stored file", async () => {
    const { stepwell, app } = server;
    const stored = await stepwell.files.create(app.id, { name: "stored.txt", body: new TextEncoder().encode("x") });
    const { page, go, faults } = await openConsole(browser, server);
    await go(await formOf({ account: { type: "connection", name: "Account" }, file: { type: "file", name: "File" } }));
    await page.getByRole("button", { name: "New connection" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.locator(".error-summary").getByText("Token").waitFor();
    await dialog.getByLabel("Token").fill("secret");
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Use a stored file" }).click();
    await page.getByRole("button", { name: "Use stored.txt" }).click();
    const { items } = await stepwell.connections.list(app.id);
    expect(await started(page)).toEqual({ account: items[0]?.id, file: [stored.id] });
  });

  it("shows errors at their fields, with a list on top that has the focus and leads to them", async () => {
    const { page, go, faults } = await openConsole(browser, server);
    await go(await formOf(EVERY_FIELD));
    await page.getByLabel("Amount").fill("12 apples");
    await page.getByRole("button", { name: "Start run" }).click();
    const summary = page.locator(".error-summary");
    await summary.getByText("Amount: This is not a number. Write it like 1,234.5.").waitFor();
    await page.getByLabel("Amount").fill("12");
    await page.getByRole("button", { name: "Start run" }).click();
    const link = summary.getByRole("link", { name: "Address › Street: Is required." });
    await link.waitFor();
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await faults()).toEqual([]);
    await link.press("Enter");
    const street = page.getByLabel("Street");
    expect(await street.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await street.getAttribute("aria-invalid")).toBe("true");
    await page.keyboard.type("M");
    await expect.poll(() => street.getAttribute("aria-invalid")).toBe("false");
  });

  it("is the same as its JSON, in both directions", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(
      await formOf({ count: { type: "number", name: "Count" }, who: { type: "string", name: "Who", optional: true } }),
    );
    const json = page.getByLabel("Input as JSON");
    await page.getByLabel("Count").fill("1,000");
    expect(JSON.parse(await json.inputValue())).toEqual({ count: 1000 });
    await json.fill('{"count": 7, "who": "Ada"}');
    await expect.poll(() => page.getByLabel("Count").inputValue()).toBe("7");
    await expect.poll(() => page.getByLabel("Who").inputValue()).toBe("Ada");
    // What a control cannot show is not lost.
    await json.fill('{"count": "seven", "who": "Ada"}');
    await page.getByText("This value does not fit the field").waitFor();
    await json.fill('{"count": 8');
    await page.getByText("This is not a JSON object").waitFor();
    await json.fill('{"count": 8, "who": "O\'Neil"}');
    await page.getByRole("tab", { name: "curl" }).click();
    const curl = await page.locator("pre").innerText();
    expect(curl).toContain("O'\\''Neil");
    expect(await started(page)).toEqual({ count: 8, who: "O'Neil" });
  });

  it("keeps what was typed over a reload, until it is sent", async () => {
    const path = await formOf({ who: { type: "string", name: "Who" } });
    const { page, go } = await openConsole(browser, server);
    await go(path);
    await page.getByLabel("Who").fill("Ada");
    await page.reload();
    await page.getByText("Restored").waitFor();
    expect(await page.getByLabel("Who").inputValue()).toBe("Ada");
    expect(await started(page)).toEqual({ who: "Ada" });
    const run = page.url().split("/").at(-1) ?? "";
    await go(path);
    expect(await page.getByLabel("Who").inputValue()).toBe("");
    await go(`${path}?from=${run}`);
    await page.getByText("Filled with the input of").waitFor();
    expect(await page.getByLabel("Who").inputValue()).toBe("Ada");
    await page.getByLabel("Who").fill("Grace");
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Tests" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("Grace");
  });

  it.each([
    ["light", 390],
    ["dark", 390],
    ["dark", 1440],
  ] as const)("is accessible in %s at %d px, and does not scroll sideways", async (colorScheme, width) => {
    const settings = { colorScheme, viewport: { width, height: 844 }, isMobile: width < 700, hasTouch: width < 700 };
    const { page, go, faults } = await openConsole(browser, server, settings);
    await go(await formOf(EVERY_FIELD));
    await page.getByRole("button", { name: "Add to Debts" }).click();
    await page.getByText("More settings").click();
    expect(await faults()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
});

describe("an upload in a form", () => {
  const SIZE = 1_000_000;
  const PATH = /\/public\/apps\/files\/uploads\//;
  const file = { name: "big.txt", mimeType: "text/plain", buffer: Buffer.alloc(SIZE, "a") };

  /** Requests with bytes, and what becomes of those that do not begin the file. */
  function interceptChunks(handle: (request: IncomingMessage, response: ServerResponse) => boolean) {
    const offsets: number[] = [];
    server.intercept((request, response) => {
      if (!PATH.test(request.url ?? "") || request.method !== "PATCH") return false;
      offsets.push(Number(request.headers["upload-offset"]));
      return handle(request, response);
    });
    onTestFinished(() => server.intercept(() => false));
    return offsets;
  }

  async function openUpload(given: string | typeof file = file) {
    const tab = await openConsole(browser, server);
    tab.complaints.allow(/Failed to load resource: net::ERR/);
    await tab.go(await formOf({ file: { type: "file", name: "File" } }));
    await tab.page.locator("input[type=file]:not([capture])").setInputFiles(given);
    return tab;
  }

  it("shows a picture, whose bytes the page lets go of with its row", async () => {
    const { page, go } = await openConsole(browser, server);
    await go(await formOf({ file: { type: "file", name: "File" } }));
    await page.evaluate(() => {
      const { createObjectURL, revokeObjectURL } = URL;
      const urls = new Set<string>();
      Object.assign(window, { urls });
      URL.createObjectURL = (bytes) => {
        const url = createObjectURL.call(URL, bytes);
        urls.add(url);
        return url;
      };
      URL.revokeObjectURL = (url) => {
        urls.delete(url);
        revokeObjectURL.call(URL, url);
      };
    });
    const held = () => page.evaluate(() => Reflect.get(window, "urls").size);
    const picture = page.locator(".file-row img");
    const width = () => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
    await page
      .locator("input[type=file]:not([capture])")
      .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: PNG });
    await expect.poll(width).toBe(1);
    await page.getByText("Uploaded").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Files" }).click();
    await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
    await expect.poll(held).toBe(0);
    await page.goBack();
    await expect.poll(width).toBe(1);
    await page.getByRole("button", { name: "Remove dot.png" }).click();
    await picture.waitFor({ state: "detached" });
    await expect.poll(held).toBe(0);
  });

  it("shows its progress, and continues by itself after a line that broke once", async () => {
    const gate = createGate();
    let hasBroken = false;
    const offsets = interceptChunks((request) => {
      if (hasBroken) return false;
      hasBroken = true;
      void gate.released.then(() => request.socket.destroy());
      return true;
    });
    const { page, faults } = await openUpload();
    await page.getByText("256 KiB of 976.6 KiB").waitFor();
    expect(await page.getByRole("progressbar", { name: "Upload of big.txt" }).getAttribute("value")).toBe("262144");
    expect(await faults()).toEqual([]);
    gate.release();
    await page.getByText("Uploaded").waitFor();
    expect(Math.min(...offsets)).toBe(262_144);
    const { file: ids } = await started(page);
    const [id = ""] = Array.isArray(ids) ? ids.map(String) : [];
    expect(await server.stepwell.files.get(server.app.id, id)).toMatchObject({ name: "big.txt", size: SIZE });
  });

  it("continues by itself after a line that stayed broken, with the part that was sent", async () => {
    let isBroken = true;
    const offsets = interceptChunks((request) => {
      if (isBroken) request.socket.destroy();
      return isBroken;
    });
    const { page, faults } = await openUpload();
    await page.getByRole("button", { name: "Continue" }).waitFor();
    const start = page.getByRole("button", { name: "Start run" });
    const waits = page.getByText("Uploading. The form is sent when the upload has ended.");
    await start.click();
    await waits.waitFor();
    expect(await start.getAttribute("aria-busy")).toBe("true");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await waits.waitFor({ state: "detached" });
    expect(await start.evaluate((button) => button === document.activeElement)).toBe(true);
    await start.click();
    await waits.waitFor();
    isBroken = false;
    await page.waitForURL(/\/runs\/run_/);
    expect(Math.min(...offsets)).toBe(262_144);
    const { input } = await server.stepwell.runs.get(server.app.id, page.url().split("/").at(-1) ?? "");
    expect(input["file"]).toHaveLength(1);
  });

  it("is continued after a reload, with the same file only", async () => {
    let isBroken = true;
    interceptChunks((request) => {
      if (isBroken) request.socket.destroy();
      return isBroken;
    });
    // With a file of the disk, which has a time.
    const folder = await mkdtemp(join(tmpdir(), "stepwell-forms-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const write = async (name: string, content: Buffer, day: number) => {
      const path = join(folder, name);
      const time = new Date(Date.UTC(2027, 0, day));
      await writeFile(path, content);
      await utimes(path, time, time);
      return path;
    };
    const big = await write("big.txt", file.buffer, 1);
    const { page } = await openUpload(big);
    await page.getByRole("button", { name: "Continue" }).waitFor();
    await page.reload();
    const choose = async (given: string) => {
      const choosing = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: /Continue|again to continue/ }).click();
      await (await choosing).setFiles(given);
    };
    const isOther = page.getByText("This is another file, or it was changed. Choose the original big.txt");
    await choose(await write("other.txt", file.buffer, 1));
    await isOther.waitFor();
    isBroken = false;
    // Of the same name and size.
    await write("big.txt", Buffer.alloc(SIZE, "b"), 2);
    await choose(big);
    await expect.poll(() => page.getByRole("button", { name: /again to continue/ }).count()).toBe(1);
    await isOther.waitFor();
    await write("big.txt", file.buffer, 1);
    await choose(big);
    await page.getByText("Uploaded").waitFor();
    const { file: ids } = await started(page);
    const [id = ""] = Array.isArray(ids) ? ids.map(String) : [];
    const { body } = await server.stepwell.files.content(server.app.id, id);
    expect(Buffer.from(await new Response(body).arrayBuffer()).equals(file.buffer)).toBe(true);
  });

  it("lets the run begin before it has ended", async () => {
    const gate = createGate();
    let isFirst = true;
    interceptChunks((request) => {
      if (!isFirst) return false;
      isFirst = false;
      void gate.released.then(() => request.socket.destroy());
      return true;
    });
    const { page } = await openUpload();
    await page.getByText("More settings").click();
    await page.getByLabel("Start before the files are uploaded").check();
    const { file: ids } = await started(page);
    gate.release();
    const [id = ""] = Array.isArray(ids) ? ids.map(String) : [];
    await until(async () => (await server.stepwell.files.get(server.app.id, id).catch(() => null)) !== null);
    expect(await server.stepwell.files.get(server.app.id, id)).toMatchObject({ size: SIZE });
  });
});
