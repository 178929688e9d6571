/** Which encoding decides, and which bytes are not text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText } from "../../src/encoding/decode-text.ts";
import { anyCharacter } from "../support/any-character.ts";
import { concat, NAMES, NAMES_1252, PNG, utf16, utf32 } from "../support/files/byte-samples.ts";

describe("decodeText", () => {
  it.each<[string, string, Uint8Array, string | null]>([
    ["a mark before the charset", "text/plain; charset=iso-8859-1", concat("\ufeffé"), "é"],
    [
      "a charset before the document",
      "text/html; charset=iso-8859-2",
      concat("<meta charset=koi8-r>", Uint8Array.of(0xb3)),
      "<meta charset=koi8-r>ł",
    ],
    ["a charset in quotes and capitals", 'text/plain; Charset="ISO-8859-2"', Uint8Array.of(0xb3), "ł"],
    ["a multi-byte charset", "text/plain; charset=shift_jis", Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), "日本"],
    [
      "the document before UTF-8",
      "text/html",
      concat("<META CHARSET='shift_jis'>", Uint8Array.of(0x93, 0xfa)),
      "<META CHARSET='shift_jis'>日",
    ],
    [
      "an http-equiv",
      "text/html",
      concat('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', Uint8Array.of(0xc1)),
      '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">а',
    ],
    [
      "no declaration in a comment",
      "text/html",
      concat("<!-- <meta charset=koi8-r> -->é"),
      "<!-- <meta charset=koi8-r> -->é",
    ],
    ["UTF-16 in a document that is ASCII", "text/html", concat("<meta charset=utf-16>é"), "<meta charset=utf-16>é"],
    [
      "an XML declaration",
      "application/xml",
      concat('<?xml version="1.0" encoding="iso-8859-2"?><a>', Uint8Array.of(0xb3), "</a>"),
      '<?xml version="1.0" encoding="iso-8859-2"?><a>ł</a>',
    ],
    ["an unknown charset as none", "text/plain; charset=klingon", concat("é"), "é"],
    ["a charset that the bytes are not in as none", "text/plain; charset=utf-8", NAMES_1252, NAMES],
    ["UTF-16 without a mark", "text/plain", utf16(NAMES, "be", false), NAMES],
    ["UTF-32", "text/plain", utf32("a🙂", "le"), "a🙂"],
    ["UTF-8 with a damaged character", "text/plain", concat("éèê", Uint8Array.of(0xe9), "x"), "éèê\ufffdx"],
    ["windows-1252 in a text type", "text/csv", NAMES_1252, NAMES],
    ["windows-1252 in any other type", "application/octet-stream", NAMES_1252, null],
    ["an undeclared alphabet", "text/csv", Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2), null],
    ["an image", "text/plain; charset=iso-8859-1", PNG, null],
    ["truncated UTF-16", "text/plain", utf16(NAMES, "le", true).subarray(0, 5), null],
    ["UTF-32 beyond Unicode", "text/plain", Uint8Array.of(0xff, 0xfe, 0, 0, 0, 0, 0x11, 0), null],
    ["nothing", "", new Uint8Array(0), ""],
  ])("decodes %s", (_, type, bytes, text) => expect(decodeText(bytes, type)).toBe(text));

  it("returns any valid UTF-8 text of any type unchanged", () => {
    const texts = fc.string({ unit: anyCharacter }).filter((text) => !/\0|\p{Surrogate}|^\ufeff/u.test(text));
    fc.assert(
      fc.property(texts, fc.constantFrom("", "text/plain", "application/octet-stream", "text/csv"), (text, type) => {
        expect(decodeText(new TextEncoder().encode(text), type)).toBe(text);
      }),
    );
  });

  it.each([
    ["an open tag", "<meta "],
    ["quotes", "<meta charset='"],
    ["spaces", `<meta${" ".repeat(99)}`],
  ])("decodes 1 MiB of %s in linear time", (_, piece) => {
    const text = piece.repeat(Math.ceil((1024 * 1024) / piece.length));
    expect(decodeText(new TextEncoder().encode(text), `text/html${"; charset".repeat(10_000)}`) === text).toBe(true);
  });
});
