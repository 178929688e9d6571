/** Parsing the parameters of a header value (RFC 9110 section 5.6.6, RFC 8187). */
import { describe, expect, it } from "vitest";
import { headerParameters } from "../../src/encoding/header-parameters.ts";
import { fileNameIn } from "../../src/files/file-name.ts";

const read = (header: string) => Object.fromEntries(headerParameters(header));

describe("headerParameters", () => {
  it.each([
    ["no parameters", "text/plain", {}],
    ["an empty value", "", {}],
    ["a token", "text/plain;charset=utf-8", { charset: "utf-8" }],
    ["spaces and tabs around the parts", "a ; \t b = c ;\td\t=\te", { b: "c", d: "e" }],
    ["names in any case", "a; CharSet=UTF-8", { charset: "UTF-8" }],
    ["an empty token", "a; b=; c=d", { b: "", c: "d" }],
    ["a quoted value", 'a; b="c"', { b: "c" }],
    ["an empty quoted value", 'a; b=""', { b: "" }],
    ["separators in quotes", 'a; b="; c=d, e"; f=g', { b: "; c=d, e", f: "g" }],
    ["an escaped quote", String.raw`a; b="say \"hi\""`, { b: 'say "hi"' }],
    ["an escaped backslash", String.raw`a; b="c\\"; d=e`, { b: "c\\", d: "e" }],
    ["a path of Windows", String.raw`a; b="C:\dir\file.txt"`, { b: String.raw`C:\dir\file.txt` }],
    ["the first of two", 'a; b=c; b=d; B="e"', { b: "c" }],
    ["no name", "a; =b; c=d", { c: "d" }],
    ["no equals sign", "a; b; c=d", { c: "d" }],
    ["empty parameters", "a;;; ;b=c;", { b: "c" }],
    ["text behind a quoted value", 'a; b="c"d; e=f', { b: "c", e: "f" }],
    ["a missing quote, which ends the list", 'a; b=c; d="e; f=g', { b: "c" }],
    ["an escaped quote at the end", String.raw`a; b="c\"`, {}],
    ["a name that objects have", "a; __proto__=b; constructor=c", { ["__proto__"]: "b", constructor: "c" }],
  ])("parses %s", (_, header, expected) => expect(read(header)).toEqual(expected));
});

describe("fileNameIn", () => {
  it.each([
    ["no name", "attachment", undefined],
    ["a plain name", 'attachment; filename="a b.txt"', "a b.txt"],
    ["an extended name", "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt", "größe.txt"],
    ["an extended name in a language", "attachment; filename*=utf-8'de'%C3%B6.txt", "ö.txt"],
    ["the extended one of two", "attachment; filename=plain.txt; filename*=UTF-8''%E2%82%AC.txt", "€.txt"],
    [
      "the plain one next to broken percent signs",
      "attachment; filename=plain.txt; filename*=UTF-8''%E2%82",
      "plain.txt",
    ],
    ["the plain one next to another charset", "attachment; filename=plain.txt; filename*=latin1''%F6", "plain.txt"],
    ["the plain one next to an extended one without quotes", "attachment; filename=a; filename*=UTF-8", "a"],
    ["what browsers escape", 'form-data; filename="a%22b%0D%0A.txt"', 'a"b.txt'],
    ["nothing where the quote is missing", 'form-data; filename="a', undefined],
  ])("returns %s", (_, disposition, expected) => expect(fileNameIn(disposition)).toBe(expected));
});
