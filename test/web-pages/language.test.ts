/** Which language a page has, by the Accept-Language header of its browser. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languageOf } from "../../src/web-pages/language.ts";
import { directionOf, LANGUAGES } from "../../src/web-pages/languages.ts";

const chosen = (header: string | null) =>
  languageOf(new Request("https://x.test", { headers: header === null ? {} : { "accept-language": header } }));

describe("the language of a page", () => {
  it.each([
    ["the only one that the browser names", "ja", "ja"],
    ["that of any region", "ar-EG", "ar"],
    ["that of a region with a script", "zh-Hant-TW, fr-Latn-CA;q=0.4", "fr"],
    ["in capital letters", "DE-at", "de"],
    ["the first of several", "es, fr", "es"],
    ["the one with the largest weight", "en;q=0.2, fr;q=0.9, de;q=0.3", "fr"],
    ["with spaces around the weight", "en ; q=0.1 ,\tja ; q=0.7", "ja"],
    ["the next one if pages do not have the first", "nl, pl;q=0.9, es;q=0.1", "es"],
    ["not one with the weight 0", "fr;q=0, de;q=0.1", "de"],
    ["English for any language", "*", "en"],
    ["English for any other language that weighs more", "*;q=0.9, ja;q=0.1", "en"],
    ["one that weighs more than any other language", "ja, *;q=0.1", "ja"],
    ["none that is refused, if any other will do", "en;q=0, *", "de"],
    ["English without a header", null, "en"],
    ["English for an empty header", "", "en"],
    ["English if pages have none of them", "tlh, vo;q=0.5", "en"],
    ["English if all are refused", "en;q=0, de;q=0", "en"],
  ] as const)("is %s: %s", (_, header, language) => {
    expect(chosen(header)).toBe(language);
  });

  it.each(["x", "", "-1", "1.1", "NaN", "Infinity", "1e9", "0.5.5", "0,5x", "½"])(
    "ignores a language with the weight %j",
    (weight) => {
      expect(chosen(`fr;q=${encodeURIComponent(weight)}, de;q=0.001`)).toBe("de");
    },
  );

  it("is one that pages have, whatever the header is", () => {
    const part = fc.constantFrom(...LANGUAGES, "*", "-", ";", ",", "q=", "=", "0.5", "1", "\t", " ", "xx", "é");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        expect(LANGUAGES).toContain(chosen(parts.join("")));
      }),
    );
  });

  it.each([
    ["commas", ",".repeat(10_240)],
    ["languages that pages do not have", "xx,".repeat(3_413)],
    ["one language", "a".repeat(10_240)],
    ["subtags", "a-".repeat(5_120)],
    ["parameters", `xx${";q=1".repeat(2_560)}`],
    ["digits of a weight", `xx;q=0.${"1".repeat(10_240)}`],
    ["spaces", `xx${" ".repeat(10_240)};q=1`],
  ])("is English after 10 kB of %s", (_, header) => {
    expect(chosen(`${header},ja`.slice(0, 10_240))).toBe("en");
  });
});

it("only Arabic runs from right to left", () => {
  expect(LANGUAGES.filter((language) => directionOf(language) === "rtl")).toEqual(["ar"]);
});
