/** The languages of the console: their words fit, and what is read from right to left is mirrored. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { LANGUAGE_NAMES } from "../../adapters/console/app/settings/settings.ts";
import { RUN_STATUSES } from "../../src/runs/run.ts";
import { LANGUAGES, type Language } from "../../src/web-pages/languages.ts";
import { sample } from "../support/sample.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { type ConsoleTab, openConsole } from "./support/console-tab.ts";
import { lengthenGerman } from "./support/longer-texts.ts";
import { createSeedClock, seed } from "./support/seed.ts";

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1_440, height: 900 };
/** So high that all of a list is drawn. */
const WIDE = { width: 1_024, height: 4_000 };
const NARROW = { width: 390, height: 4_000 };

/** The longest words, no spaces, and from right to left: the others are like one of these. */
const SAMPLE = sample(LANGUAGES, ["de", "ja", "ar"]);

const clock = createSeedClock();
const { browser, server } = await openBrowserAndServer({ clock });
const seeded = await seed(server, clock, { runs: 30, workflows: 8, records: 5 });
const record = (await server.stepwell.records.list(server.app.id, seeded.collection)).items[0]?.id ?? "";
const file = (await server.stepwell.files.list(server.app.id)).items[0]?.id ?? "";

const inApp = (path: string) => `/apps/${server.app.id}${path}`;

/** Opens a tab that speaks the language. */
const speaking = (language: Language, viewport = DESK): Promise<ConsoleTab> =>
  openConsole(browser, server, { viewport, keptSettings: { language } });

/** Opens a screen and waits until it has what it shows. */
async function show({ follow, page }: ConsoleTab, path: string): Promise<void> {
  await follow(path);
  await page.waitForFunction(() => document.querySelector(".loading") === null);
}

/** Pixels by which a page is wider than its window. */
const excessOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe.each(SAMPLE)("in the language %s", (language) => {
  it("the main screens are accessible on a phone, and do not scroll sideways", async () => {
    const tab = await speaking(language, PHONE);
    for (const path of ["", `/runs/${seeded.loopRun}`, `/collections/${seeded.collection}`]) {
      await show(tab, inApp(path));
      expect(await tab.faults(), path).toEqual([]);
      expect(await excessOf(tab.page), path).toBeLessThanOrEqual(0);
      await tab.complaints.look(tab.page);
    }
    expect(await tab.page.evaluate(() => document.documentElement.lang)).toBe(language);
  });

  it("another one can be chosen by its own name", async () => {
    const tab = await speaking(language);
    await show(tab, "/settings");
    const own = tab.page.getByRole("combobox").filter({ hasText: LANGUAGE_NAMES[language] });
    await own.selectOption({ label: LANGUAGE_NAMES[language === "en" ? "de" : "en"] });
    const lang = language === "en" ? "de" : "en";
    await tab.page.locator(`html[lang=${lang}][dir=ltr]`).waitFor({ state: "attached" });
  });
});

describe.each(SAMPLE)("the navigation in %s", (language) => {
  it("names each section in one line, also the chosen one", async () => {
    const tab = await speaking(language);
    for (const section of ["", "/workflows", "/inbox"]) {
      await show(tab, inApp(section));
      await tab.page.locator(".navigation .count").waitFor();
      const entries = tab.page.locator(".navigation a");
      const heights = await entries.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
      expect.soft(new Set(heights).size, section).toBe(1);
    }
  });
});

/** Statuses on the page, and those of them of which a part cannot be seen. */
const STATUSES = () => {
  const clips = (element: Element) => getComputedStyle(element).overflowX !== "visible";
  const signs = [...document.querySelectorAll(".status-sign")];
  const cut = signs.filter((sign) => {
    const { left, right } = sign.getBoundingClientRect();
    for (let around = sign.parentElement; around !== null; around = around.parentElement) {
      const box = around.getBoundingClientRect();
      if (clips(around) && (left < box.left - 0.5 || right > box.right + 0.5)) return true;
    }
    return sign.scrollWidth > sign.clientWidth + 1;
  });
  const namesOf = (found: readonly Element[]) => [...new Set(found.map((sign) => sign.textContent))];
  return { seen: namesOf(signs).length, cut: namesOf(cut) };
};

describe.each(SAMPLE)("statuses in %s", (language) => {
  it("are not cut at 1,024 and at 390 px", async () => {
    const tab = await speaking(language, WIDE);
    for (const [path, sign, least] of [
      ["/runs", ".status-sign.queued", RUN_STATUSES.length],
      ["", ".status-sign", 1],
      [`/runs/${seeded.loopRun}?step=each&tab=items`, ".status-sign", 1],
      [`/runs/${seeded.hostileRun}`, ".status-sign", 1],
    ] as const) {
      await tab.page.setViewportSize(WIDE);
      await show(tab, inApp(path));
      await tab.page.locator(sign).first().waitFor();
      for (const viewport of [WIDE, NARROW]) {
        await tab.page.setViewportSize(viewport);
        const shown = () => tab.page.evaluate(STATUSES);
        await expect.poll(async () => (await shown()).seen).toBeGreaterThanOrEqual(least);
        expect.soft((await shown()).cut, `${path} at ${viewport.width}`).toEqual([]);
      }
    }
  });
});

describe("with words that are 40 % longer than in German", () => {
  it("no screen scrolls sideways on a phone or on a desk", async () => {
    const tab = await speaking("de");
    await lengthenGerman(tab.page);
    const paths = [
      "",
      "/runs",
      `/runs/${seeded.loopRun}?step=each&tab=items`,
      "/workflows",
      `/workflows/${seeded.asking}`,
      `/workflows/${seeded.asking}?step=approve`,
      `/workflows/${seeded.asking}/versions`,
      `/workflows/${seeded.quick}/new-run`,
      "/inbox",
      "/files",
      `/files/${file}`,
      "/uploads/new",
      "/collections",
      `/collections/${seeded.collection}`,
      `/collections/${seeded.collection}/settings`,
      `/collections/${seeded.collection}/records/${record}`,
      "/schedules",
      "/webhooks",
      "/connections",
    ].map(inApp);
    const tooWide: string[] = [];
    for (const path of [...paths, "/settings", "/shortcuts", "/docs"]) {
      await tab.page.setViewportSize(DESK);
      await show(tab, path);
      for (const viewport of [DESK, PHONE]) {
        await tab.page.setViewportSize(viewport);
        const excess = await excessOf(tab.page);
        if (excess > 0) tooWide.push(`${path} at ${viewport.width}: ${excess}`);
      }
    }
    expect(tooWide).toEqual([]);
    await tab.page.getByRole("heading", { name: "APIAP-ReferenzRefe" }).waitFor();
  });
});

describe("from right to left", () => {
  it("arrow keys move between tabs by what is seen", async () => {
    const tab = await speaking("ar");
    await show(tab, inApp(`/runs/${seeded.loopRun}?step=each&tab=output`));
    const chosen = tab.page.locator('[role="tab"][aria-selected="true"]');
    const leftOf = async () => (await chosen.boundingBox())?.x ?? Number.NaN;
    await chosen.focus();
    const before = await leftOf();
    await tab.page.keyboard.press("ArrowLeft");
    await tab.page.waitForURL(/tab=error/);
    const after = await leftOf();
    expect(after).toBeLessThan(before);
    await tab.page.keyboard.press("ArrowRight");
    await tab.page.waitForURL(/tab=output/);
    expect(await leftOf()).toBe(before);
  });

  it("code, the canvas and times still go from left to right", async () => {
    const tab = await speaking("ar");
    const { page } = tab;
    const directionOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).direction);
    await show(tab, inApp(`/workflows/${seeded.asking}?view=json`));
    await page.locator(".cm-content").waitFor();
    expect(await directionOf(".cm-content")).toBe("ltr");
    await show(tab, inApp(`/workflows/${seeded.asking}?view=canvas`));
    await page.locator(".canvas").waitFor();
    expect(await directionOf(".canvas")).toBe("ltr");
    await show(tab, inApp(`/runs/${seeded.loopRun}`));
    expect(await directionOf(".waterfall .axis")).toBe("ltr");
    expect(await directionOf(".waterfall")).toBe("rtl");
    await show(tab, inApp(""));
    const places = await page
      .locator(".axis > bdi")
      .evaluateAll((times) => times.map((time) => time.getBoundingClientRect().left));
    expect(places.length).toBeGreaterThan(2);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it("a long value from left to right shows its beginning in a field of one line", async () => {
    const tab = await speaking("ar", PHONE);
    const text = "https://example.com/a/long/path/".repeat(5);
    await show(tab, inApp(`/files?search=${encodeURIComponent(text)}`));
    const field = tab.page.getByRole("main").getByRole("searchbox");
    expect(await field.inputValue()).toBe(text);
    const { height = 0 } = (await field.boundingBox()) ?? {};
    await field.click({ position: { x: 60, y: height / 2 } });
    expect(await field.evaluate((input: HTMLInputElement) => input.selectionStart)).toBeLessThan(20);
  });

  it("signs that point to the next one point to the left", async () => {
    const tab = await speaking("ar");
    await show(tab, inApp(`/workflows/${seeded.asking}?view=outline`));
    const scaleOf = (name: string) =>
      tab.page
        .getByRole("button", { name })
        .locator(".icon")
        .evaluate((icon) => getComputedStyle(icon).scale);
    expect(await scaleOf("تراجع (Ctrl Z)")).toBe("-1 1");
    expect(await scaleOf("البحث عن خطوة (/)")).toBe("none");
  });
});
