/** Numbers and moments as people write them. */
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createNotation, isExact } from "../../src/forms/model/notation.ts";

describe("numbers", () => {
  it.each([
    ["en", "1,234.5", 1234.5],
    ["en", "1234.5", 1234.5],
    ["en", "-0.5", -0.5],
    ["en", "1e3", 1000],
    ["en", "1,5", null],
    ["en", "1.2.3", null],
    ["en", "", null],
    ["en", "twelve", null],
    ["de", "1.234,5", 1234.5],
    ["de", "1234,5", 1234.5],
    ["de", "1.5", null],
    ["de", "1,234.5", null],
    ["de-CH", "1'234.5", 1234.5],
    ["fr", "1 234,5", 1234.5],
    ["fr", "−7", -7],
    ["ar", "1,234.5", 1234.5],
    ["ar", "٣٫٥", 3.5],
    ["ar", "١٬٢٣٤٫٥", 1234.5],
    ["ar", "\u061c-٥", -5],
    ["ar", "١٢٬٣٤", null],
    ["de", "١٬٢٣٤٫٥", 1234.5],
    ["en", "۱۲۳", 123],
    ["ja", "１，２３４．５", 1234.5],
    ["ja", "－７", -7],
    ["ja", "+３e2", 300],
    ["ja", "5²", null],
  ])("in %s: %s is %s", (language, text, value) => {
    expect(createNotation(language).parseNumber(text)).toBe(value);
  });

  it("are read as they are written, in every language", () => {
    const languages = ["en", "de", "fr", "es", "ja", "ar", "sv", "hi"].map(createNotation);
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        for (const { formatNumber, parseNumber } of languages) expect(parseNumber(formatNumber(value))).toBe(value + 0);
      }),
    );
  });

  it.each([
    ["1.10", 1.1, true],
    ["007", 7, true],
    ["0", 0, true],
    ["9007199254740993", 9007199254740992, false],
    ["0.1234567890123456789", 0.12345678901234568, false],
    ["٩٠٠٧١٩٩٢٥٤٧٤٠٩٩٣", 9007199254740992, false],
    ["１．５", 1.5, true],
  ])("of the text %s: whether %s has all its digits is %s", (text, value, exact) => {
    expect(isExact(text, value)).toBe(exact);
  });
});

describe("moments", () => {
  it("are the same instant again", () => {
    const { toLocal, toInstant } = createNotation("en");
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1950-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
        (date) => {
          const local = toLocal(date.toISOString());
          const instant = Date.parse(toInstant(local ?? "") ?? "");
          // An hour occurs twice when clocks are set back.
          expect([0, 3_600_000]).toContain(Math.abs(instant - date.getTime()));
        },
      ),
    );
  });

  it("keep their offset where the instant is in a year with five digits", () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const { toInstant, toLocal } = createNotation("en");
    vi.stubEnv("TZ", "America/New_York");
    expect(toInstant("9999-12-31T23:59")).toBe("9999-12-31T23:59-05:00");
    expect(toLocal("9999-12-31T23:59-05:00")).toBe("9999-12-31T23:59");
    vi.stubEnv("TZ", "Asia/Kolkata");
    expect(toInstant("9999-12-31T23:59")).toBe("9999-12-31T18:29:00Z");
  });

  it("without an offset are in UTC, and anything else is no moment", () => {
    const { toLocal, toInstant } = createNotation("en");
    expect(toInstant(toLocal("2027-01-31T09:30") ?? "")).toBe("2027-01-31T09:30:00Z");
    expect(toLocal("tomorrow")).toBeNull();
    expect(toInstant("2027-01-31")).toBeNull();
  });
});
