import { describe, expect, it } from "vitest";
import { readCurl, wordsOf } from "../../../adapters/console/app/steps/kinds/curl.ts";
import {
  bodyKindOf,
  hasContentType,
  headerLines,
  headerText,
  withContentType,
} from "../../../adapters/console/app/steps/kinds/request-body.ts";

describe("reading a curl command", () => {
  it("takes method, headers and body", () => {
    const text = `curl -X PUT 'https://api.example.com/orders/1' \\
      -H 'Content-Type: application/json' -H "X-Id: a b" --data-raw '{"a":"it'\\''s"}'`;
    expect(readCurl(text)).toEqual({
      url: "https://api.example.com/orders/1",
      method: "PUT",
      headers: { "Content-Type": "application/json", "X-Id": "a b" },
      body: `{"a":"it's"}`,
    });
  });

  it("posts data, with the type that curl gives it", () => {
    expect(readCurl("curl example.com -d a=1 --data-urlencode 'b=x y' -s")).toEqual({
      url: "http://example.com",
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "a=1&b=x%20y",
    });
  });

  it("knows --json, -u, -G and options with their value in the same word", () => {
    expect(readCurl(`curl --json '{}' https://a.example`)).toMatchObject({
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
    });
    expect(readCurl("curl -uada:secret --url=https://a.example -G -d q=1 -XGET")).toEqual({
      url: "https://a.example?q=1",
      method: "GET",
      headers: { authorization: "Basic YWRhOnNlY3JldA==" },
    });
  });

  it.each(["", "wget https://a.example", "curl -X POST"])("refuses %j", (text) => {
    expect(readCurl(text)).toBeNull();
  });

  it("splits words as a shell does", () => {
    expect(wordsOf(`a 'b c' "d \\"e\\" $f" $'g\\n\\'h' i\\ j ''`)).toEqual([
      "a",
      "b c",
      'd "e" $f',
      "g\n'h",
      "i j",
      "",
    ]);
  });
});

describe("the body and headers of a request", () => {
  it.each([
    [undefined, "none"],
    ["{{ input.order }}", "expression"],
    ['{ "a": {{ input.a }} }', "json"],
    ["{{ input.a }}, {{ input.b }}", "text"],
    ["{{ broken", "text"],
  ])("tells the kind of the body %j", (body, kind) => {
    expect(bodyKindOf(body)).toBe(kind);
  });

  it("turns headers into text and back", () => {
    const headers = { accept: "a/b", "x-url": "https://a.example:1/" };
    expect(Object.fromEntries(headerLines(headerText(headers)) ?? [])).toEqual(headers);
    expect(headerLines("no header")).toBeNull();
  });

  it("adds a content type once", () => {
    expect(withContentType(undefined)).toEqual({ "content-type": "application/json" });
    expect(withContentType("accept: a/b\n")).toBe("accept: a/b\ncontent-type: application/json");
    expect(hasContentType("Content-Type: a/b")).toBe(true);
    expect(hasContentType({ accept: "a/b" })).toBe(false);
  });
});
