/** The upload page in Chromium. */
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Clock, UploadCreate } from "../../src/index.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { openBrowser } from "../support/browser/open-browser.ts";
import { give, openSite, openTab, type Site, type Tab } from "../support/browser/site.ts";

const MB = 1024 * 1024;
/** Bytes per second. At this speed a large file is still uploading when a busy machine has done its checks. */
const SLOW = MB / 8;
const LARGE = 4 * MB;
const browser = await openBrowser();
let site: Site;
/** Milliseconds that the clock of the service is ahead. */
let passed = 0;
const tabs: Tab[] = [];
beforeAll(async () => {
  const clock: Clock = { now: () => systemClock.now() + passed, after: systemClock.after };
  site = await openSite({ clock });
});
afterAll(() => site.close());
afterEach(async () => {
  for (const tab of tabs.splice(0)) {
    const { complaints } = tab;
    await tab.context.close();
    expect(complaints).toEqual([]);
  }
});

async function visit(input: UploadCreate = {}, options: BrowserContextOptions = {}) {
  const address = await site.address(input);
  const tab = await openTab(browser, options);
  tabs.push(tab);
  // From now on, the tests handle file dialogs.
  tab.page.on("filechooser", () => undefined);
  await tab.page.goto(address.url);
  const { page } = tab;
  return {
    ...address,
    ...tab,
    state: (name: string) => page.waitForSelector(`main[data-state="${name}"]`),
    note: () => page.locator("#note").innerText(),
    choose: (name: string, content: Buffer | number, mimeType = "application/octet-stream") =>
      page.setInputFiles("#input", {
        name,
        mimeType,
        buffer: typeof content === "number" ? Buffer.alloc(content, 1) : content,
      }),
    button: (name: string) => page.getByRole("button", { name }),
  };
}

/** The percentage that the page shows. */
async function arrived(page: Tab["page"]): Promise<number> {
  return Number.parseInt(await page.locator("#percent").innerText(), 10);
}

describe("the upload page", () => {
  it("uploads a chosen file", async () => {
    const { page, choose, state, note, file, faults } = await visit();
    expect(await page.title()).toBe("Upload a file");
    await choose("Répört 1.bin", 3 * MB);
    await state("received");
    expect(await note()).toBe("Répört 1.bin was uploaded. You can close this page.");
    expect(await file()).toMatchObject({ name: "Répört 1.bin", size: 3 * MB });
    expect(await faults()).toEqual([]);
  });

  it.each(["drop", "paste"] as const)("accepts a file by %s", async (event) => {
    const { page, state, file } = await visit();
    await give(page, event, ["given.txt"], 100, "text/plain");
    await state("received");
    expect(await file()).toMatchObject({ name: "given.txt", size: 100 });
  });

  it("says that a file is empty instead of taking it", async () => {
    const { choose, state, note, file } = await visit();
    await choose("empty", 0);
    await state("refused");
    expect(await note()).toBe("empty is empty. Choose a file with content.");
    await choose("full", 1);
    await state("received");
    expect((await file()).size).toBe(1);
  });

  it("speaks German, names the app, and fits a narrow phone without JavaScript", async () => {
    const { url } = await site.address({ max_size: 30_000_000 });
    const { page, context, faults } = await openTab(browser, {
      ...{ locale: "de-DE", viewport: { width: 320, height: 600 }, hasTouch: true, isMobile: true },
    });
    await page.goto(url);
    await page.waitForSelector("main[data-ready]");
    expect(await page.title()).toBe("Datei hochladen");
    expect(await page.locator(".app").innerText()).toBe("Tests");
    expect(await page.locator("#facts").innerText()).toContain("Alle Dateitypen, bis 30 MB.");
    expect(await page.locator("#ways").isVisible()).toBe(false);
    expect(await faults()).toEqual([]);
    await context.close();
    const plain = await openTab(browser, { viewport: { width: 320, height: 600 }, javaScriptEnabled: false });
    await plain.page.goto(url);
    const box = await plain.page.locator("main").boundingBox();
    const input = await plain.page.locator("input").boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320);
    expect((input?.x ?? 0) + (input?.width ?? 999)).toBeLessThanOrEqual(320);
    await plain.context.close();
  });

  it("works with the keyboard alone and announces every change", async () => {
    const { page, slow, state, file } = await visit();
    await page.waitForSelector("main[data-ready]");
    await slow(MB / 10);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("input");
    const chooser = page.waitForEvent("filechooser");
    await page.keyboard.press("Space");
    await (await chooser).setFiles({ name: "keys.bin", mimeType: "", buffer: Buffer.alloc(4 * MB) });
    await state("sending");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("title");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await state("paused");
    expect(await page.locator("#live").innerText()).toMatch(/Paused/);
    await slow(0);
    await page.keyboard.press("Enter");
    await state("received");
    expect(await page.locator("#live").innerText()).toMatch(/was uploaded/);
    expect((await file()).size).toBe(4 * MB);
  });

  it("works without JavaScript and shows errors", async () => {
    const options = { javaScriptEnabled: false };
    const { page, choose, id } = await visit({ allowed_types: ["text/*"] }, options);
    await choose("bad.bin", Buffer.from([0, 1, 2, 255]));
    await page.getByRole("button", { name: "Upload" }).click();
    expect(await page.locator("h1").innerText()).toBe("Upload failed");
    expect(await page.locator("#note").innerText()).toBe("This type of file is not accepted. Accepted: Text.");
    await page.getByRole("link").click();
    await choose("good.txt", Buffer.from("text"));
    await page.getByRole("button", { name: "Upload" }).click();
    expect(await page.locator("h1").innerText()).toBe("Upload complete");
    expect((await site.stepwell.files.get(site.app.id, id)).name).toBe("good.txt");
  });
});

describe("the upload page while sending", () => {
  it("shows progress, pauses, resumes and cancels", async () => {
    const { page, choose, slow, state, button, faults, note, file } = await visit();
    await slow(SLOW);
    await give(page, "drop", ["large.bin"], LARGE);
    await state("sending");
    const rate = () => page.locator("#rate").innerText();
    await expect.poll(rate).toMatch(/ left \(\d.*(\/s|per second)\)/);
    expect(await faults()).toEqual([]);
    await button("Pause").click();
    await state("paused");
    const before = await arrived(page);
    expect(await faults()).toEqual([]);
    expect(await arrived(page)).toBe(before);
    await button("Resume").click();
    await expect.poll(() => arrived(page)).toBeGreaterThan(before);
    await button("Cancel").click();
    await state("open");
    expect(await note()).toBe("Upload canceled.");
    await slow(0);
    await choose("other.bin", 10);
    await state("received");
    expect(await file()).toMatchObject({ name: "other.bin", size: 10 });
  });

  it("resumes when the browser is online again", async () => {
    const { page, context, slow, state, note, faults, file } = await visit();
    await slow(SLOW);
    await give(page, "drop", ["line.bin"], LARGE);
    await expect.poll(() => arrived(page)).toBeGreaterThan(0);
    await context.setOffline(true);
    await state("lost");
    expect(await note()).toMatch(/offline/);
    expect(await faults()).toEqual([]);
    await slow(0);
    await context.setOffline(false);
    await state("received");
    expect((await file()).size).toBe(LARGE);
  });

  it("resumes when the server is available again", async () => {
    const { page, slow, state, note, file } = await visit();
    await page.clock.install();
    await slow(SLOW);
    await give(page, "drop", ["server.bin"], LARGE);
    await expect.poll(() => arrived(page)).toBeGreaterThan(0);
    await site.down();
    await state("lost");
    expect(await note()).toMatch(/The connection was lost\. Retrying in \d seconds?\./);
    await site.up();
    await slow(0);
    await page.clock.fastForward(4_000);
    await state("received");
    expect((await file()).size).toBe(LARGE);
  });

  it("resumes the same file after a reload, and asks before another file replaces it", async () => {
    const { page, choose, slow, state, button, note, file } = await visit();
    await slow(SLOW);
    const same = { lastModified: 1_700_000_000_000 };
    const pick = (name: string, size: number) =>
      page.evaluate(
        ({ name, size, same }) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(size).fill(7)], name, same));
          document.body.dispatchEvent(
            new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }),
          );
        },
        { name, size, same },
      );
    await pick("again.bin", LARGE);
    await expect.poll(() => arrived(page)).toBeGreaterThan(0);
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await expect.poll(note).toMatch(/again.bin is only partly uploaded \(\d+%\)/);
    await choose("different.bin", 100);
    await state("begun");
    await button("Choose another file").click();
    await state("open");
    await slow(0);
    await pick("again.bin", LARGE);
    await state("received");
    expect(await file()).toMatchObject({ name: "again.bin", size: LARGE });
  });

  it("uploads one file when two tabs send different ones", async () => {
    const one = await visit();
    const two = await openTab(browser);
    tabs.push(two);
    await two.page.goto(one.url);
    await one.slow(SLOW);
    await give(one.page, "drop", ["one.bin"], LARGE);
    await expect.poll(() => arrived(one.page)).toBeGreaterThan(0);
    await two.page.setInputFiles("#input", { name: "two.bin", mimeType: "", buffer: Buffer.alloc(MB, 2) });
    await two.page.waitForSelector('main[data-state="begun"]');
    await two.page.getByRole("button", { name: "Upload this file instead" }).click();
    await two.page.waitForSelector('main[data-state="received"]');
    const { body, file } = await site.stepwell.files.content(site.app.id, one.id);
    const bytes = new Uint8Array(await new Response(body).arrayBuffer());
    expect([file.name, bytes.length, new Set(bytes)]).toEqual(["two.bin", MB, new Set([2])]);
    await one.slow(0);
    await one.page.waitForSelector('main:is([data-state="closed"], [data-state="begun"], [data-state="lost"])');
  });
});

describe("the upload page shows errors", () => {
  it("in German, with German numbers, and without what the API says to programs", async () => {
    const { url } = await site.address({ max_size: 2_500_000 });
    const { page, context, faults } = await openTab(browser, { locale: "de-DE" });
    await page.goto(url);
    await page.waitForSelector("main[data-ready]");
    await page.setInputFiles("#input", { name: "a.bin", mimeType: "", buffer: Buffer.alloc(2_600_000) });
    await page.waitForSelector('main[data-state="refused"]');
    const note = await page.locator("#note").innerText();
    expect(note.replaceAll(/\s/gu, " ")).toBe(
      "a.bin ist zu groß: Die Datei hat 2,6 MB, erlaubt sind höchstens 2,5 MB.",
    );
    const json = { code: "malformed", detail: "The body is broken." };
    const refusal = { status: 400, contentType: "application/problem+json", json };
    await page.route(url, (route) =>
      ["GET", "HEAD"].includes(route.request().method()) ? route.continue() : route.fulfill(refusal),
    );
    await page.setInputFiles("#input", { name: "a.bin", mimeType: "", buffer: Buffer.alloc(1) });
    await page.waitForSelector('main[data-state="failed"]');
    expect(await page.locator("#note").innerText()).toBe("Der Server hat mit 400 geantwortet.");
    expect(await faults()).toEqual([]);
    await context.close();
  });

  it("for a file that is too large and for several files, before sending", async () => {
    const { page, choose, state, note, button, faults } = await visit({ max_size: 1_000 });
    await choose("large.bin", 1_001);
    await state("refused");
    expect(await note()).toBe("large.bin is too large: it is 1,001 bytes, and the limit is 1,000 bytes.");
    expect(await faults()).toEqual([]);
    await give(page, "drop", ["a", "b"], 1);
    expect(await note()).toMatch(/only one file/);
    const chooser = page.waitForEvent("filechooser");
    await button("Choose another file").click();
    await (await chooser).setFiles({ name: "small.bin", mimeType: "", buffer: Buffer.alloc(10) });
    await state("received");
  });

  it("for a type that is not accepted", async () => {
    const { choose, state, note } = await visit({ allowed_types: ["image/*", "application/pdf"] });
    await choose("picture.png", Buffer.from("text that is no picture ".repeat(500)), "image/png");
    await state("refused");
    expect(await note()).toBe("The file type of picture.png is not accepted. Accepted: Images, PDF.");
  });

  it("for used, expired and unknown upload URLs", async () => {
    const used = await visit();
    await used.choose("a", 1);
    await used.state("received");
    await used.page.reload();
    expect(await used.page.locator("h1").innerText()).toBe("Already used");
    const { url } = await site.address({ expires_in: 1 });
    passed += 1_100;
    await used.page.goto(url);
    expect(await used.page.locator("h1").innerText()).toBe("Link expired");
    await used.page.goto(url.slice(0, -4).concat("none"));
    expect(await used.page.locator("h1").innerText()).toBe("Link not found");
    expect(await used.faults()).toEqual([]);
  });

  it("for an upload URL that was used in the meantime", async () => {
    const { url, page, choose, state, note } = await visit();
    await site.stepwell.files.receive(url, { name: "first", body: Uint8Array.of(1) });
    await choose("late.bin", 10);
    await state("closed");
    expect(await note()).toMatch(/A file was already uploaded through this link/);
    expect(await page.locator("h1").innerText()).toBe("Upload failed");
  });
});

describe("the upload page", () => {
  it.each(["light", "dark"] as const)(
    "in %s mode fits wide and narrow screens and passes accessibility checks",
    async (colorScheme) => {
      const { page, choose, state, faults } = await visit({ max_size: 50 }, { colorScheme });
      const look = () =>
        page.evaluate(() => ({
          isFitting: document.documentElement.scrollWidth <= innerWidth,
          isTouchable: [...document.querySelectorAll("button")]
            .filter((button) => button.checkVisibility())
            .every((button) => button.offsetHeight >= 44),
        }));
      const expectFine = async () => {
        for (const width of [900, 320]) {
          await page.setViewportSize({ width, height: 640 });
          expect({ width, ...(await look()), faults: await faults() }).toEqual({
            width,
            isFitting: true,
            isTouchable: true,
            faults: [],
          });
        }
      };
      await expectFine();
      await choose(`${"a-very-long-name-without-an-end".repeat(5)}.bin`, 100);
      await state("refused");
      await expectFine();
    },
  );

  it("loads nothing from elsewhere and sends no referrer", async () => {
    const address = await site.address();
    const tab = await openTab(browser);
    tabs.push(tab);
    const requests: string[] = [];
    tab.page.on("request", (request) => requests.push(request.url()));
    const response = await tab.page.goto(address.url);
    await tab.page.waitForSelector("main[data-ready]");
    expect(new Set(requests)).toEqual(new Set([address.url]));
    const headers = response?.headers() ?? {};
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'nonce-[^']+'; script-src 'nonce-/,
    );
    expect(headers["content-security-policy"]).not.toMatch(/unsafe/);
  });

  it("shows a preview of an image and neutralizes text direction in file names", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const { page, choose, slow, state } = await visit();
    await slow(MB / 100);
    await choose("\u202egpj.tsixe.png", Buffer.concat([png, Buffer.alloc(200_000)]), "image/png");
    await page.waitForSelector("#picture:not([hidden])");
    expect(await page.locator("#name").innerText()).toBe("gpj.tsixe.png");
    await slow(0);
    await state("received");
  });
});
