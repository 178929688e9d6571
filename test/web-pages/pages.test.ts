/** What the pages of forms and uploads contain in each language. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { notationOf } from "../../src/forms/written-values.ts";
import { directionOf, LANGUAGES, type Language } from "../../src/web-pages/languages.ts";
import { loadTexts } from "../../src/web-pages/page-texts.ts";
import { readableBytes } from "../../src/web-pages/quantities.ts";
import { input } from "../support/engine/service.ts";
import { ask, form, HTML, openForms } from "../support/forms/open-forms.ts";

const inLanguage = (language: Language) => ({ ...HTML, "accept-language": language });
/** Without the narrow and wide spaces of numbers with units, and without the marks around values. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll(/[\u2066-\u2069\u200e\u200f]/g, "");

/** Texts of some languages that no other language has. Short words may be part of others. */
async function textsOnlyIn(languages: readonly Language[]): Promise<string[]> {
  const found = await Promise.all(
    LANGUAGES.map(async (one) => [one, Object.values((await loadTexts(one)).startingWith(""))] as const),
  );
  const own = new Set(found.flatMap(([one, texts]) => (languages.includes(one) ? [] : texts)));
  return found
    .flatMap(([one, texts]) => (languages.includes(one) ? texts : []))
    .filter((text) => !own.has(text) && text.length > 12);
}

describe.each([
  ["de", 1_500_000, "1,5 MB"],
  ["de", 5, "5 Byte"],
  ["de", 9_999, "9.999 Byte"],
  ["de", 12_345, "12,3 kB"],
  ["en", 1_500_000, "1.5 MB"],
  ["en", 1, "1 byte"],
  ["en", 9_999, "9,999 bytes"],
  ["fr", 1_500_000, "1,5 Mo"],
  ["es", 1_500_000, "1,5 MB"],
  ["ja", 1_500_000, "1.5 MB"],
  ["ar", 1_500_000, "1.5 م.ب"],
] as const)("in %s, the limit of %d bytes", (language, max_size, text) => {
  const headers = inLanguage(language);

  it(`is ${text} on the page of a form`, async () => {
    const { asked, send } = await openForms();
    const { link } = await asked({ scan: { type: "file", max_size } });
    expect(plain((await send(link.url, { headers })).text)).toContain(text);
  });

  it(`is ${text} on the page of an upload`, async () => {
    const { stepwell, app, send } = await openForms();
    const { upload_url } = await stepwell.files.createUpload(app, { max_size });
    expect(plain((await send(upload_url, { headers })).text)).toContain(text);
  });
});

describe.each(LANGUAGES)("a page in %s", (language) => {
  it("says its language and direction, and has no text of another language", async () => {
    const { stepwell, app, asked, send } = await openForms();
    const { link } = await asked({ n: { type: "number" } });
    const { upload_url } = await stepwell.files.createUpload(app);
    const headers = inLanguage(language);
    const opened = [await send(link.url, { headers }), await send(upload_url, { headers })];
    const refused = await send(link.url, { ...form({ "/n": "x" }), headers });
    const unknown = await send(`${link.url}x`, { headers });
    const others = LANGUAGES.filter((other) => other !== language);
    for (const { text } of [...opened, refused, unknown]) {
      expect(text).toContain(`<html lang="${language}" dir="${directionOf(language)}">`);
      for (const foreign of await textsOnlyIn(others)) expect.soft(text).not.toContain(foreign);
    }
    const { say } = await loadTexts(language);
    expect(plain(refused.text)).toContain(plain(say("wrong_number", { example: notationOf(language).example })));
    expect(unknown.text).toContain(say("unknown_title"));
  });

  it("names the time limit of an answer in it", async () => {
    const { stepwell, app, deploy, send, until } = await openForms();
    const workflow = await deploy([input("in"), ask({ ok: { type: "boolean" } }, { timeout: 3_600 })]);
    const run = await stepwell.runs.create(app, workflow, { input: {} });
    await until(run.id, ({ status }) => status === "waiting");
    const { url } = await stepwell.inputs.createLink(app, run.id, "ask", { language });
    const { until: end } = await stepwell.inputs.get(app, run.id, "ask");
    const { text } = await send(url, { headers: HTML });
    const tag = language === "ar" ? "ar-u-nu-latn" : language;
    const day = new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" }).format(new Date(end ?? ""));
    expect(plain(text)).toContain(plain(day));
  });

  it("says in it that a form was too large, if its link has that language", async () => {
    const { asked, send } = await openForms({ limits: { bodyBytes: 1_000 } });
    const { link } = await asked({ text: { type: "string" } }, [], { language });
    const { status, text } = await send(link.url, form({ "/text": "x".repeat(2_000) }));
    expect(status).toBe(413);
    const { say } = await loadTexts(language);
    expect(text).toContain(`<h1>${say("failed_title")}</h1>`);
    expect(plain(text)).toContain(plain(readableBytes(1_000, language)));
  });

  it("says in it why a file was refused that came without the script", async () => {
    const { stepwell, app, send } = await openForms();
    const { upload_url } = await stepwell.files.createUpload(app, { allowed_types: ["image/*"], max_size: 200_000 });
    const upload = (file: File) => send(upload_url, { ...form({ file }), headers: inLanguage(language) });
    const { say } = await loadTexts(language);
    const wrong = await upload(new File(["text"], "a.txt"));
    expect(wrong.status).toBe(415);
    expect(plain(wrong.text)).toContain(plain(say("file_type", { types: say("type_image") })));
    const large = await upload(new File([new Uint8Array(400_000)], "a.png"));
    expect(large.status).toBe(413);
    expect(plain(large.text)).toContain(plain(say("file_large", { limit: readableBytes(200_000, language) })));
    const nothing = await send(upload_url, { ...form({ other: "x" }), headers: inLanguage(language) });
    expect(nothing.status).toBe(400);
    expect(nothing.text).toContain(say("file_failed"));
  });

  it("names a value that its form does not have, without what the API says to programs", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked(
      { inside: { type: "string", config: true }, n: { type: "number" } },
      [],
      {},
      { inside: "x" },
    );
    const body = JSON.stringify({ inside: "y", n: "z" });
    const headers = { ...inLanguage(language), "content-type": "application/json" };
    const { status, text } = await send(link.url, { method: "POST", headers, body });
    expect(status).toBe(422);
    const { document } = parseHTML(text);
    const { say } = await loadTexts(language);
    const [first, second] = [...document.querySelectorAll(".errors li")].map((one) => plain(one.textContent ?? ""));
    expect(first).toContain("/inside");
    expect(first).toContain(plain(say("wrong_foreign")));
    expect(second).toContain(plain(say("wrong_number", { example: notationOf(language).example })));
    expect(text).not.toContain("input_default");
  });
});
