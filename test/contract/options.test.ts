/** What is given at construction is checked there, not when the first request comes. */
import { describe, expect, it } from "vitest";
import { StepwellError } from "../../src/errors.ts";
import type { CorsOptions } from "../../src/http/cors.ts";
import { createStepwell } from "../../src/index.ts";
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
      "limits.files is no limit; right would be body, bodyIdle, file",
    );
  });
});

it.each(['{"entities":".stepwell"}', '{"entities":null}', '{"blobs":{}}'])("the storage cannot be %s", (storage) => {
  expect(() => settingsOf({ storage: JSON.parse(storage) })).toThrow(/storage\.(entities|blobs) is no driver/);
});

describe("an option", () => {
  const wrong = (options: unknown) => () => Reflect.apply(createStepwell, null, [options]);

  it.each<[string, object]>([
    ["cors.origins", { cors: { origins: "https://app.example.com" } }],
    ["cors.origins", { cors: {} }],
    ["cors.origins.0", { cors: { origins: ["*"] } }],
    ["cors.origins.1", { cors: { origins: ["https://a.example.com", "https://b.example.com/path"] } }],
    ["cors.origins.0", { cors: { origins: [7] } }],
    ["cors.maxAge", { cors: { origins: "*", maxAge: "1h" } }],
    ["cors.origin", { cors: { origins: "*", origin: "*" } }],
    ["cors", { cors: true }],
    ["baseUrl", { baseUrl: new URL("https://example.com") }],
    ["storage", { storage: ".stepwell" }],
    ["storage.files", { storage: { files: {} } }],
    ["storge", { storge: {} }],
    ["adminKey", { adminKey: 7 }],
    ["net.allow", { net: { allow: "10.0.0.0/8" } }],
    ["net.allow.0", { net: { allow: [10] } }],
    ["limits", { limits: 7 }],
    ["limits", { limits: null }],
    ["services", { services: {} }],
    ["services.0", { services: [null] }],
    ["sandbox", { sandbox: {} }],
    ["extractor", { extractor: {} }],
    ["fetch", { fetch: "fetch" }],
    ["telemetry", { telemetry: () => undefined }],
    ["logger", { logger: { warn: () => undefined } }],
    ["clock", { clock: Date }],
  ])("is named where it is wrong: %s in %j", (option, options) => {
    const pattern = new RegExp(`(?:wrong\\.|[.,]) ${option.replaceAll(".", "\\.")}: (?:Must|Unknown|Is )`);
    expect(wrong(options)).toThrow(StepwellError);
    expect(wrong(options)).toThrow(pattern);
  });

  it.each([null, 7, "x", []])("cannot stand in %j", (options) => {
    expect(wrong(options)).toThrow("The options must be an object.");
  });

  it("may be left out by being undefined, and every one that is wrong is told", async () => {
    const nothing = Object.fromEntries(
      ["baseUrl", "storage", "cors", "net", "limits", "clock"].map((name) => [name, undefined]),
    );
    await wrong(nothing)().close();
    expect(wrong({ cors: 1, net: 2 })).toThrow(/net: Must .* cors: Must /);
  });

  it.each<readonly [string, CorsOptions]>([
    ["everyone", { origins: "*" }],
    ["some", { origins: ["https://a.example.com", "http://localhost:5173/", "null"], maxAge: 0 }],
    ["nobody", { origins: [] }],
  ])("takes origins: %s", async (_, cors) => {
    await expect(createStepwell({ cors }).close()).resolves.toBeUndefined();
  });
});
