/** The messages of schemas that have none of their own, such as those of actions, say what would be right. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { issueSentence } from "../../src/messages/issue-sentence.ts";

const message = (schema: v.GenericSchema, value: unknown) => {
  const { issues = [] } = v.safeParse(schema, value);
  return issues[0] === undefined ? null : issueSentence(issues[0]);
};

describe("the message of a schema without one", () => {
  it.each([
    ["an e-mail address", v.pipe(v.string(), v.email()), "ann", 'Must be an e-mail address, not "ann".'],
    ["a URL", v.pipe(v.string(), v.url()), "x", 'Must be a URL, not "x".'],
    ["an integer", v.pipe(v.number(), v.integer()), 1.5, "Must be an integer, not 1.5."],
    [
      "a check",
      v.pipe(
        v.string(),
        v.check((text) => text !== "x"),
      ),
      "x",
      '"x" is not accepted.',
    ],
    ["a custom schema", v.custom(() => false), "x", '"x" is not accepted.'],
    ["a range", v.pipe(v.number(), v.maxValue(3)), 5, "Must be at most 3."],
    ["a text", v.string(), 5, "Must be a string, not 5."],
    ["a missing text", v.object({ a: v.string() }), {}, "Is required."],
    ["a beginning", v.pipe(v.string(), v.startsWith("a")), "x", 'Must start with "a", not "x".'],
    ["a pattern", v.pipe(v.string(), v.regex(/^a+$/)), "x", 'Must match /^a+$/, not "x".'],
    ["an address", v.pipe(v.string(), v.ipv4()), "x", 'Must be a valid IPv4, not "x".'],
  ])("for %s", (_, schema, value, expected) => {
    expect(message(schema as v.GenericSchema, value)).toBe(expected);
  });
});
