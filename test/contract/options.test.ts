/** What is given at construction is checked there, not when the first request comes. */
import { describe, expect, it } from "vitest";
import { StepwellError } from "../../src/errors.ts";
import { DEFAULT_LIMITS, settingsOf } from "../../src/options.ts";

describe("the base address", () => {
  it.each([
    [undefined, "http://localhost:3000"],
    ["https://example.com", "https://example.com"],
    ["https://example.com/automation//", "https://example.com/automation"],
  ])("%s is %s", (baseUrl, expected) => {
    expect(settingsOf(baseUrl === undefined ? {} : { baseUrl }).baseUrl).toBe(expected);
  });

  it.each([
    "",
    "/automation",
    "example.com",
    "localhost:3000",
    "ftp://example.com",
    "https://a.test?b",
    "https://a.test/#b",
  ])("cannot be %j", (baseUrl) => {
    expect(() => settingsOf({ baseUrl })).toThrow(StepwellError);
    expect(() => settingsOf({ baseUrl })).toThrow(`baseUrl cannot be ${JSON.stringify(baseUrl)}`);
  });
});

describe("a limit", () => {
  it("that is left out, or undefined, is the default", () => {
    const { limits } = settingsOf(JSON.parse('{"limits":{"body":1}}'));
    expect(limits).toEqual({ ...DEFAULT_LIMITS, body: 1 });
    const undefinedLimit: object = { body: undefined };
    expect(settingsOf({ limits: undefinedLimit }).limits).toEqual(DEFAULT_LIMITS);
  });

  it.each(["-1", '"1mb"', "null"])("cannot be %s", (limit) => {
    expect(() => settingsOf(JSON.parse(`{"limits":{"file":${limit}}}`))).toThrow("limits.file cannot be");
  });

  it("that there is not is refused, with those that there are", () => {
    expect(() => settingsOf(JSON.parse('{"limits":{"files":1}}'))).toThrow(
      "limits.files is no limit; right would be body, file",
    );
  });
});

it.each(['{"entities":".stepwell"}', '{"entities":null}', '{"blobs":{}}'])("the storage cannot be %s", (storage) => {
  expect(() => settingsOf({ storage: JSON.parse(storage) })).toThrow(/storage\.(entities|blobs) is no driver/);
});
