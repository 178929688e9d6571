/** The pages of forms and uploads in every language, in a browser: filled in, accessible, on wide and narrow screens. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InputDefinition, JsonValue } from "../../src/index.ts";
import { directionOf, LANGUAGES, type Language } from "../../src/web-pages/languages.ts";
import { loadTexts } from "../../src/web-pages/page-texts.ts";
import { openBrowser } from "../support/browser/open-browser.ts";
import { openSite, openTab, type Site } from "../support/browser/site.ts";
import { input, to } from "../support/engine/service.ts";
import { sample } from "../support/sample.ts";
import { until } from "../support/until.ts";

const browser = await openBrowser();
let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

async function asked(fields: InputDefinition, title: string) {
  const { stepwell, app } = site;
  const steps = [input("in", to("ask")), input("ask", { input: fields })];
  const workflow = await stepwell.workflows.create(app.id, { name: title, steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const { id } = await stepwell.runs.create(app.id, workflow.id, {});
  await until(async () => (await stepwell.runs.get(app.id, id)).status === "waiting");
  const { url } = await stepwell.inputs.createLink(app.id, id, "ask", { title });
  const output = async (): Promise<JsonValue> => (await stepwell.runs.wait(app.id, id)).output;
  return { url, output };
}

/** A form of an author who writes in the language. */
const FORMS = {
  ar: {
    title: "الموافقة على رحلة",
    ...{ approve: "هل توافق؟", insured: "تأمين", amount: "المبلغ", reason: "السبب", site: "الموقع", kind: "النوع" },
    ...{ plane: "طائرة", train: "قطار", written: "اجتماع مع Ann Smith في برلين." },
  },
  ja: {
    title: "出張の承認",
    ...{ approve: "承認しますか", insured: "保険", amount: "金額", reason: "理由", site: "ウェブサイト", kind: "種類" },
    ...{ plane: "飛行機", train: "電車", written: "ベルリンで会議" },
  },
} as const;

type Words = (typeof FORMS)[keyof typeof FORMS];

const fieldsIn = (words: Words): InputDefinition => ({
  approve: { type: "boolean", name: words.approve },
  insured: { type: "boolean", name: words.insured, optional: true, display: { field: "inline" } },
  amount: { type: "number", name: words.amount },
  reason: { type: "string", name: words.reason, optional: true },
  site: { type: "string", name: words.site, validation: "url" },
  kind: {
    type: "select",
    name: words.kind,
    options: [
      { value: "plane", label: words.plane },
      { value: "train", label: words.train },
    ],
  },
});

const excessOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
/** Without the marks around values, which nobody sees. */
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, "");

describe.each(["ar", "ja"] as const)("a form in %s", (language) => {
  const words = FORMS[language];

  it("says in that language what is missing, is filled in, and stores what was meant", async () => {
    const { say } = await loadTexts(language);
    const { url, output } = await asked(fieldsIn(words), words.title);
    const { page, context, complaints } = await openTab(browser, { locale: language, javaScriptEnabled: false });
    await page.goto(url);
    await page.getByRole("heading", { name: words.title }).waitFor();
    await page.getByLabel(words.reason).fill(words.written);
    await page.getByLabel(words.site).fill("example.org");
    await page.getByRole("button", { name: say("form_send") }).click();
    await page.getByRole("heading", { name: say("form_errors") }).waitFor();
    const messages = (await page.locator(".wrong").allInnerTexts()).map(plain);
    const required = say("wrong_required");
    expect(messages).toEqual([required, required, plain(say("wrong_url")), required]);
    expect(await page.getByLabel(words.reason).inputValue()).toBe(words.written);

    const approve = page.getByRole("radiogroup", { name: words.approve });
    await approve.getByLabel(say("form_no"), { exact: true }).check();
    const insured = page.getByRole("radiogroup", { name: words.insured });
    expect(await insured.getByLabel(say("form_none")).isChecked()).toBe(true);
    await insured.getByLabel(say("form_yes"), { exact: true }).check();
    await page.getByLabel(words.amount).fill("1234.5");
    await page.getByLabel(words.site).fill("https://example.org/");
    await page.getByRole("radiogroup", { name: words.kind }).getByLabel(words.train).check();
    await page.getByRole("button", { name: say("form_send") }).click();
    await page.getByRole("heading", { name: say("sent_title") }).waitFor();
    const given = { amount: 1234.5, reason: words.written, site: "https://example.org/", kind: "train" };
    expect(await output()).toEqual({ approve: false, insured: true, ...given });
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("a form in Arabic", () => {
  it("begins at the right, and shows what is written in another direction in its own", async () => {
    const { url } = await asked(fieldsIn(FORMS.ar), FORMS.ar.title);
    const { page, context } = await openTab(browser, { locale: "ar" });
    await page.goto(url);
    const box = async (name: string) =>
      (await page.getByText(name, { exact: true }).boundingBox()) ?? expect.fail(name);
    const main = (await page.locator("main").boundingBox()) ?? expect.fail("main");
    const label = await box(FORMS.ar.amount);
    expect(main.x + main.width - (label.x + label.width)).toBeLessThan(label.x - main.x);
    const [first, second] = [await box(FORMS.ar.insured), await page.getByLabel("نعم").last().boundingBox()];
    expect(second?.x).toBeLessThan(first.x);
    const styleOf = (name: string) =>
      page.getByLabel(name).evaluate((one) => [getComputedStyle(one).direction, getComputedStyle(one).unicodeBidi]);
    expect(await styleOf(FORMS.ar.reason)).toEqual(["rtl", "plaintext"]);
    expect((await styleOf(FORMS.ar.site))[0]).toBe("ltr");
    await context.close();
  });
});

/** The longest words, no spaces, and from right to left: the others are like one of these. */
const SAMPLE = sample(LANGUAGES, ["de", "ja", "ar"]);

describe.each(SAMPLE)("the pages in %s", (language) => {
  it("are accessible and fit: in light on a phone, and in dark on a desk", async () => {
    const { say } = await loadTexts(language);
    const { url } = await asked(fieldsIn(FORMS.ja), "Trip");
    const tab = await openTab(browser, { locale: language, bypassCSP: true });
    const { page, faults } = tab;
    const expectFine = async () => {
      for (const [colorScheme, width] of [
        ["light", 390],
        ["dark", 1_280],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        expect(await excessOf(page), colorScheme).toBeLessThanOrEqual(0);
        expect(await faults(), colorScheme).toEqual([]);
      }
    };
    await page.goto(url);
    expect(await page.locator("html").getAttribute("lang")).toBe(language);
    expect(await page.locator("html").getAttribute("dir")).toBe(directionOf(language));
    await expectFine();
    await page.getByRole("button", { name: say("form_send") }).click();
    await page.locator(".errors").waitFor();
    await expectFine();
    await page.goto(`${url}x`);
    await page.getByRole("heading", { name: say("unknown_title") }).waitFor();
    await expectFine();
    await uploadIn(language, page, expectFine);
    expect(tab.complaints).toEqual([]);
    await tab.context.close();
  });
});

/** Opens the page of an upload, has a file refused, and uploads another one. */
async function uploadIn(language: Language, page: Page, expectFine: () => Promise<void>): Promise<void> {
  const { say } = await loadTexts(language);
  const { url, file } = await site.address({ max_size: 2_500_000 });
  await page.goto(url);
  await page.waitForSelector("main[data-ready]");
  expect(await page.title()).toBe(say("upload_title"));
  await expectFine();
  const choose = (size: number) =>
    page.setInputFiles("#input", { name: "report (2).bin", mimeType: "", buffer: Buffer.alloc(size, 1) });
  await choose(2_600_000);
  await page.waitForSelector('main[data-state="refused"]');
  const tag = language === "ar" ? "ar-u-nu-latn" : language;
  const limit = new Intl.NumberFormat(tag, { style: "unit", unit: "megabyte", unitDisplay: "short" }).format(2.5);
  const note = page.locator("#note");
  expect(plain(await note.innerText())).toContain(plain(limit));
  await expectFine();
  await choose(10);
  await page.waitForSelector('main[data-state="received"]');
  expect(plain(await note.innerText())).toBe(plain(say("upload_done", { name: "report (2).bin" })));
  await expectFine();
  expect((await file()).size).toBe(10);
}
