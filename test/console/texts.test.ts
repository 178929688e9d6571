/** The texts of the console in all of its languages. The compiler checks that each is there. */
import { describe, expect, it } from "vitest";
import { formatOf } from "../../adapters/console/app/texts/format.ts";
import { loadMessages } from "../../adapters/console/app/texts/language.ts";
import { LANGUAGES, type Language } from "../../src/web-pages/languages.ts";

/** Numbers that no text contains by itself. They are texts as well: names, dates and counts are shown in the same way. */
const GIVEN = [81, 82, 83, 84] as const;

/** All texts by their path. Functions are called with {@link GIVEN}. */
function textsOf(group: object, path = ""): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(group)) {
    const place = `${path}/${name}`;
    if (typeof value === "string") found.set(place, value);
    else if (typeof value === "function") found.set(place, String(value(...GIVEN)));
    else for (const [inner, text] of textsOf(value, place)) found.set(inner, text);
  }
  return found;
}

const spoken = async (language: Language) => textsOf(await loadMessages(language));

/** Texts that a pattern finds, with their paths. */
const matching = (texts: ReadonlyMap<string, string>, pattern: RegExp) =>
  [...texts].filter(([, text]) => pattern.test(text));

describe.each(LANGUAGES)("the texts in %s", (language) => {
  it("show the same values as those in English", async () => {
    const valuesOf = (text: string | undefined) => GIVEN.filter((value) => text?.includes(String(value)));
    const [texts, english] = [await spoken(language), await spoken("en")];
    for (const [path, text] of texts) expect.soft(valuesOf(text), path).toEqual(valuesOf(english.get(path)));
    expect(texts.size).toBe(english.size);
  });

  it("isolate a name that runs against them, and leave others as they are", async () => {
    const { general } = await loadMessages(language);
    const name = language === "ar" ? "loans (v2)" : "\u05d0\u202e";
    expect(general.confirmDelete(name)).toContain(`\u2068${name}\u2069`);
    if (language !== "ar") expect(general.confirmDelete("loans")).not.toContain("\u2068");
  });

  it("stay the same objects, because effects depend on them", async () => {
    const messages = await loadMessages(language);
    expect(await loadMessages(language)).toBe(messages);
    expect(messages.general).toBe(messages.general);
    expect(messages.general.confirmDelete).toBe(messages.general.confirmDelete);
  });
});

describe("the texts in German", () => {
  it("have a no-break space before an ellipsis, which stands for words", async () => {
    expect(matching(await spoken("de"), /[^\u00a0]…/)).toEqual([]);
  });
});

describe("the texts in French", () => {
  it("have no-break spaces before double punctuation and inside of quotes", async () => {
    expect(matching(await spoken("fr"), / [:;!?»]|« /)).toEqual([]);
  });

  it("have typographic apostrophes", async () => {
    expect(matching(await spoken("fr"), /\p{L}'\p{L}/u)).toEqual([]);
  });
});

describe("the texts in Spanish", () => {
  it("open each question and exclamation", async () => {
    const texts = await spoken("es");
    expect(matching(texts, /[?!]/).filter(([, text]) => !/[¿¡]/.test(text))).toEqual([]);
    expect(matching(texts, /[¿¡]/).length).toBeGreaterThan(0);
  });
});

describe("a date without a time", () => {
  const now = Date.parse("2027-03-04T00:10:00Z");
  it.each([
    ["en", "2027-03-05", "today"],
    ["en", "2027-03-04", "today"],
    ["en", "2027-03-03", "yesterday"],
    ["en", "2027-02-20", "12 days ago"],
    ["en", "2027-01-01", "2 mo. ago"],
    ["en", "2025-01-01", "2 yr. ago"],
    ["de", "2027-03-04", "heute"],
    ["de", "2027-03-02", "vorgestern"],
  ] as const)("in %s, %s is %s", (language, date, text) => {
    expect(formatOf(language).relativeDay(date, now).replaceAll("\u00A0", " ")).toBe(text);
  });
});

describe("sizes and durations", () => {
  it.each([
    ["en", 1, "1 byte"],
    ["en", 1_023, "1,023 bytes"],
    ["en", 1_024, "1 KiB"],
    ["en", 5 * 1024 ** 5, "5,120 TiB"],
    ["de", 5, "5 Byte"],
    ["fr", 5, "5 octets"],
    ["fr", 1_572_864, "1,5 Mio"],
    ["es", 1_572_864, "1,5 MiB"],
  ] as const)("in %s, %d bytes are %s", (language, bytes, text) => {
    expect(formatOf(language).size(bytes).replaceAll("\u00A0", " ")).toBe(text);
  });

  it.each([
    [1_000, "1,000 bytes"],
    [1_536, "1.5 KiB"],
    [2_000, "2 KiB (2,000 bytes)"],
    [10 * 1_024 ** 2, "10 MiB"],
    [10_000_000, "9.5 MiB (10,000,000 bytes)"],
  ])("says the most that is accepted, %d bytes, without rounding it", (bytes, text) => {
    expect(formatOf("en").largestSize(bytes)).toBe(text);
  });

  it.each([
    ["en", 1, "1 byte"],
    ["en", 1_536, "1.5 KiB (1,536 bytes)"],
    ["de", 1_536, "1,5 KiB (1.536 Byte)"],
  ] as const)("in %s, %d bytes are named exactly: %s", (language, bytes, text) => {
    expect(formatOf(language).exactSize(bytes).replaceAll("\u00A0", " ")).toBe(text);
  });

  it.each([
    ["en", "2 d 3 h"],
    ["fr", "2 j 3 h"],
    ["es", "2 d 3 h"],
  ] as const)("in %s, 51 hours are %s", (language, text) => {
    expect(formatOf(language).duration(51 * 3_600_000)).toBe(text);
  });
});
