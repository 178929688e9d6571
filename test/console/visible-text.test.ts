/** Characters that nobody sees, and the starts of long values, on the pages of the console. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonStart } from "../../adapters/console/app/elements/values/json-start.ts";
import { pagesOf } from "../../adapters/console/app/elements/values/text-pages.tsx";
import { nameOr, visibleJson, visibleText } from "../../adapters/console/app/elements/values/visible-text.ts";
import type { JsonObject, JsonValue } from "../../src/index.ts";

const HIDDEN = [
  ..."\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff",
  ..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
];

describe("characters that nobody sees", () => {
  it.each(HIDDEN.map((sign) => [sign.charCodeAt(0).toString(16).padStart(4, "0"), sign]))(
    "are shown: U+%s",
    (code, sign) => {
      const json = JSON.stringify({ [`a${sign}`]: `b${sign}c` });
      expect(visibleJson(json)).toBe(`{"a\\u${code}":"b\\u${code}c"}`);
      expect(JSON.parse(visibleJson(json))).toEqual(JSON.parse(json));
      expect(visibleText(`b${sign}c`)).toBe(`b⟨U+${code.toUpperCase()}⟩c`);
      expect(nameOr(` ${sign}`, "wf_1")).toBe("wf_1");
    },
  );

  it("leave all others as they are", () => {
    const text = "Größe 大小 حجم é 👍";
    expect([visibleJson(text), visibleText(text), nameOr(text, "")]).toEqual([text, text, text]);
  });
});

describe("the start of formatted JSON", () => {
  it("is that of the whole text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(200), (given, limit) => {
        const value: JsonValue = JSON.parse(JSON.stringify(given));
        const whole = JSON.stringify(value, null, 2);
        expect(jsonStart(value, 1e6)).toBe(whole);
        const start = jsonStart(value, limit);
        expect(start.length).toBe(Math.min(limit, whole.length));
        // A text that is cut within a pair has an escape there.
        if (!/\\ud[89ab]/.test(start)) expect(whole.startsWith(start)).toBe(true);
      }),
    );
  });

  it("reads no more of a long list than it shows", () => {
    let reads = 0;
    const list = new Proxy(
      Array.from({ length: 300_000 }, (_, id): JsonObject => ({ id })),
      {
        get(target, name) {
          reads++;
          return Reflect.get(target, name);
        },
      },
    );
    expect(jsonStart(list, 1_000)).toHaveLength(1_000);
    expect(reads).toBeLessThan(1_000);
  });
});

describe("the pages of a text", () => {
  it.each([
    ["x".repeat(20_000), ""],
    ["👍".repeat(9_000), ""],
    [`${"line\n".repeat(2_000)}\n\nend`, "\n"],
  ])("are short, and together the text: %#", (text, between) => {
    const pages = pagesOf(text);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(4_096);
    expect(pages.join(between)).toBe(text);
    expect(pages.filter((page) => /[\ud800-\udbff]$/.test(page))).toEqual([]);
  });
});
