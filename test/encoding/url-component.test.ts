/** Text becomes part of a URL whatever it contains. */
import { expect, it } from "vitest";
import { urlComponent } from "../../src/encoding/url-component.ts";

it.each([
  ["a b/ä", "a%20b%2F%C3%A4"],
  ["\u{1f4a5}", "%F0%9F%92%A5"],
  ["a\ud800b", "a%EF%BF%BDb"],
  ["\udc00\ud800", "%EF%BF%BD%EF%BF%BD"],
])("encodes %j as %s", (text, encoded) => {
  expect(urlComponent(text)).toBe(encoded);
});
