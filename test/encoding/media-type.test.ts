/** The media type of files: text in every usual encoding is detected, and nothing else is text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mediaType } from "../../src/files/media-type.ts";
import { concat, NAMES, NAMES_1252, PNG, utf16, utf32 } from "../support/files/byte-samples.ts";

const ROWS = `name;city\r\n${NAMES};Köln\r\n`;
const CYRILLIC_1251 = Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x3b, 0x31, 0x0a);

/** Evenly distributed bytes, as compression and encryption produce them (mulberry32). */
function evenlySpread(seed: number, size: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: size }, () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const more = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return (more ^ (more >>> 14)) >>> 24;
  });
}

describe("the media type of a file", () => {
  it.each<[string, string, Uint8Array, string]>([
    ["windows-1252", "a.csv", NAMES_1252, "text/csv"],
    ["windows-1252", "a.txt", NAMES_1252, "text/plain"],
    ["windows-1252", "a.html", concat("<p>", NAMES_1252, "</p>"), "text/html"],
    ["windows-1252", "a.json", concat('{"a":"', NAMES_1252, '"}'), "application/json"],
    ["windows-1252", "README", NAMES_1252, "text/plain"],
    ["windows-1251", "a.csv", CYRILLIC_1251, "text/csv"],
    ["UTF-16LE with a mark", "a.csv", utf16(ROWS, "le", true), "text/csv"],
    ["UTF-16BE with a mark", "a.csv", utf16(ROWS, "be", true), "text/csv"],
    ["UTF-16LE with a mark", "a", utf16(ROWS, "le", true), "text/plain"],
    ["UTF-16LE with a mark", "a.svg", utf16('<?xml version="1.0"?><svg/>', "le", true), "image/svg+xml"],
    ["UTF-16LE without a mark", "a.csv", utf16(ROWS, "le", false), "text/csv"],
    ["UTF-16BE without a mark", "a.txt", utf16(ROWS, "be", false), "text/plain"],
    ["UTF-32LE", "a.csv", utf32(ROWS, "le"), "text/csv"],
    ["UTF-32BE", "a.csv", utf32(ROWS, "be"), "text/csv"],
    ["UTF-8 with a mark", "a.csv", concat("\ufeff", ROWS), "text/csv"],
    [
      "UTF-16LE, cut within a character",
      "a.txt",
      utf16("🙂".repeat(2_000), "le", true).subarray(0, 4_100),
      "text/plain",
    ],
  ])("in %s named %s is detected", async (_, name, bytes, type) => {
    expect(await mediaType(bytes.subarray(0, 4_100), name)).toBe(type);
  });

  it.each(["a.docx", "a.xlsx", "a.odt", "a.zip"])("is application/zip for an empty archive named %s", async (name) => {
    const empty = Uint8Array.from([0x50, 0x4b, 0x05, 0x06, ...new Uint8Array(18)]);
    expect(await mediaType(empty, name)).toBe("application/zip");
  });

  it.each<[name: string, text: string, type: string]>([
    ["a.csv", "<!DOCTYPE html><p>name;city", "text/html"],
    ["a.csv", "<!doctype HTML>\nname;city", "text/html"],
    ["a.csv", "\ufeff  \n<html lang=en><body>", "text/html"],
    ["a.csv", "<!-- a --> <!-- b -->\n<script>alert(1)</script>", "text/html"],
    ["a.txt", "<script>alert(1)</script>", "text/html"],
    ["a.json", "<body onload=x>", "text/html"],
    ["a", "<iframe src=x>", "text/html"],
    ["a.png", "<html>", "text/html"],
    ["a.html", "<p>x</p>", "text/html"],
    ["a.xhtml", "<!doctype html><html/>", "application/xhtml+xml"],
    ["a.csv", "name;text\nA;<html>", "text/csv"],
    ["a.csv", "<b>name</b>;city\n", "text/csv"],
    ["a.csv", "<a href='x'>name</a>;city\n", "text/csv"],
    ["a.csv", "<headline>;city\n", "text/csv"],
    ["a.csv", "<!-- never ends", "text/csv"],
    ["a.md", "<h1>Title</h1>\n\n<html>", "text/markdown"],
    ["a.txt", "<", "text/plain"],
  ])("named %s that starts with %j is %s", async (name, text, type) => {
    expect(await mediaType(concat(text), name)).toBe(type);
  });

  it.each<[string, string, Uint8Array]>([
    ["an image", "a.csv", PNG],
    ["numbers of two bytes", "a.txt", Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 0)],
    ["numbers of four bytes", "a.txt", Uint8Array.of(65, 0, 0, 0, 66, 0, 0, 0)],
    ["bytes with control characters", "a.csv", concat(NAMES_1252, Uint8Array.of(7))],
    ["bytes that windows-1252 does not have", "a.csv", Uint8Array.of(0x41, 0x81, 0x8d, 0x90)],
    ["high bytes under a binary name", "a.bin", NAMES_1252],
    ["a frame of MPEG audio", "a.mp3", concat(Uint8Array.of(0xff, 0xfb, 0x90, 0x64, 0, 0, 0xd8, 0x12), PNG)],
  ])("with %s named %s is not a text type", async (_, name, bytes) => {
    const type = await mediaType(bytes, name);
    expect(type).not.toMatch(/^text\/|json|csv/);
  });

  it("with random bytes is never a text type", async () => {
    const names = fc.constantFrom("a", "a.csv", "a.txt", "a.html", "a.json", "a.bin", "a.xml");
    const start = fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff], [0xff, 0xfe, 0, 0]);
    await fc.assert(
      fc.asyncProperty(names, start, fc.nat(), fc.integer({ min: 400, max: 4_000 }), async (name, mark, seed, size) => {
        const bytes = concat(Uint8Array.from(mark), evenlySpread(seed, size));
        expect(await mediaType(bytes, name)).not.toMatch(/^text\/|json|xml|csv/);
      }),
    );
  });
});
