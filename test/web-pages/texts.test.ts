/** The texts of web pages in all languages. The compiler checks that each is there. */
import { describe, expect, it } from "vitest";
import { loadMessages } from "../../adapters/console/app/texts/language.ts";
import { LANGUAGES, type Language } from "../../src/web-pages/languages.ts";
import { loadTexts } from "../../src/web-pages/page-texts.ts";
import { en } from "../../src/web-pages/texts/en.ts";
import type { TextName } from "../../src/web-pages/texts/text-names.ts";

/** All texts by their names, with the places of values in them. */
const textsIn = async (language: Language) => new Map(Object.entries((await loadTexts(language)).startingWith("")));
const ENGLISH = new Map<string, string>(Object.entries(en));
const placesIn = (text = "") => (text.match(/\{\w+\}/g) ?? []).sort();
/** Texts that a pattern finds, with their names. */
const matching = (texts: ReadonlyMap<string, string>, pattern: RegExp) =>
  [...texts].filter(([, text]) => pattern.test(text));

/** Texts that are the same in English and in another language. */
const SHARED: readonly TextName[] = [
  "form_error",
  "form_no",
  "form_optional",
  "separator",
  "type_audio",
  "type_image",
  "type_text",
  "type_video",
];
const isShared = (name: string) => SHARED.some((one) => one === name);

describe.each(LANGUAGES)("the texts in %s", (language) => {
  it("have the values of those in English in them", async () => {
    const texts = await textsIn(language);
    expect([...texts.keys()].sort()).toEqual([...ENGLISH.keys()].sort());
    for (const [name, text] of texts) expect.soft(placesIn(text), name).toEqual(placesIn(ENGLISH.get(name)));
  });

  it("use the words of the console", async () => {
    const { say } = await loadTexts(language);
    const { forms, files, general } = await loadMessages(language);
    expect({
      yes: say("form_yes"),
      no: say("form_no"),
      none: say("form_none"),
      precise: say("wrong_precise"),
      upload: say("upload_title"),
      cancel: say("upload_cancel"),
    }).toEqual({
      yes: forms.yes,
      no: forms.no,
      none: forms.noAnswer,
      precise: forms.tooPrecise,
      upload: files.upload,
      cancel: general.cancel,
    });
  });

  it("put a value into its place as it is, also one that looks like a place", async () => {
    const { say } = await loadTexts(language);
    const text = say("wrong_size", { name: "{limit} $&", limit: "2 MB" });
    expect(text).toContain("{limit} $&");
    expect(text.split("2 MB")).toHaveLength(2);
  });
});

describe.each(LANGUAGES.filter((language) => language !== "en"))("no text in %s", (language) => {
  it("is English, but for words that both languages have", async () => {
    const same = [...(await textsIn(language))].filter(([name, text]) => ENGLISH.get(name) === text);
    expect(same.map(([name]) => name).filter((name) => !isShared(name))).toEqual([]);
  });
});

describe("the texts in French", () => {
  it("have no-break spaces before double punctuation, and typographic apostrophes", async () => {
    const texts = await textsIn("fr");
    expect(matching(texts, / [:;!?»]|« |\p{L}'\p{L}/u)).toEqual([]);
    expect(matching(texts, /\u00a0:/).length).toBeGreaterThan(0);
  });
});

describe("the texts in Arabic", () => {
  it("have Arabic punctuation, and isolate the values in them", async () => {
    const texts = await textsIn("ar");
    expect(matching(texts, /\p{Script=Arabic}[,;?]/u)).toEqual([]);
    expect((await loadTexts("ar")).say("upload_empty", { name: "a.txt" })).toContain("\u2068a.txt\u2069");
  });
});

describe("the texts in Japanese", () => {
  it("have Japanese punctuation", async () => {
    expect(matching(await textsIn("ja"), /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}][,.;:?!]/u)).toEqual(
      [],
    );
  });
});
