/** Options are validated at construction, not at the first request. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createExtractor } from "../../adapters/extract/extractor.ts";
import { createQuickjsSandbox } from "../../adapters/sandbox/quickjs.ts";
import memoryDriver from "../../adapters/storage/memory.ts";
import { StepwellError } from "../../src/errors.ts";
import type { CorsOptions } from "../../src/http/cors.ts";
import { createStepwell, defineService } from "../../src/index.ts";
import { CODE_RANGES, LIMIT_RANGES, type Range } from "../../src/options/limit-ranges.ts";
import { DEFAULT_LIMITS, settingsOf } from "../../src/options/settings.ts";

describe("baseUrl", () => {
  it.each([
    [undefined, "http://localhost:3000"],
    ["https://example.com", "https://example.com"],
    ["https://example.com/automation//", "https://example.com/automation"],
  ])("%s becomes %s", (baseUrl, expected) => {
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
    expect(() => settingsOf({ baseUrl })).toThrow(
      `such as https://example.com/path. Received ${JSON.stringify(baseUrl)}.`,
    );
  });
});

describe("a limit", () => {
  it("has its default when it is omitted or undefined", () => {
    const { limits } = settingsOf(JSON.parse('{"limits":{"bodyBytes":1}}'));
    expect(limits).toEqual({ ...DEFAULT_LIMITS, bodyBytes: 1 });
    const undefinedLimit: object = { bodyBytes: undefined };
    expect(settingsOf({ limits: undefinedLimit }).limits).toEqual(DEFAULT_LIMITS);
  });

  const RANGES = [
    ...Object.entries<Range>(LIMIT_RANGES).map(([name, range]) => ({ name, range, within: "limits" })),
    ...Object.entries<Range>(CODE_RANGES).map(([name, range]) => ({ name, range, within: "limits.code" })),
  ];
  const given = (within: string, name: string, limit: unknown): object =>
    within === "limits" ? { limits: { [name]: limit } } : { limits: { code: { [name]: limit } } };

  it("has a range for every name", () => {
    const { code, ...limits } = DEFAULT_LIMITS;
    expect(Object.keys(LIMIT_RANGES).sort()).toEqual(Object.keys(limits).sort());
    expect(Object.keys(CODE_RANGES).sort()).toEqual(Object.keys(code).sort());
    expect(() => settingsOf({ limits: DEFAULT_LIMITS })).not.toThrow();
  });

  describe.each(RANGES)("$within.$name", ({ name, range, within }) => {
    const { min, max, isOpen } = range;

    it.each([
      min - 1,
      min + 0.5,
      -1,
      2 * max + 2,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      "1mb",
      "",
      null,
      true,
      [],
      {},
      10n,
      ...(isOpen === true ? [] : [Number.POSITIVE_INFINITY]),
    ])("cannot be %s", (limit) => {
      const shown = typeof limit === "number" ? `${limit}` : "";
      expect(() => settingsOf(given(within, name, limit))).toThrow(StepwellError);
      expect(() => settingsOf(given(within, name, limit))).toThrow(
        new RegExp(`${within}\\.${name}: Must be a whole number .*${min}.*\\. Received ${shown}`),
      );
    });

    it.each([min, min + 1, max, ...(isOpen === true ? [Number.POSITIVE_INFINITY] : [])])("can be %s", (limit) => {
      expect(() => settingsOf(given(within, name, limit))).not.toThrow();
    });
  });

  it("with an unknown name is rejected with the valid names", () => {
    expect(() => settingsOf(JSON.parse('{"limits":{"files":1}}'))).toThrow(
      "limits.files: Unknown limit. Expected one of bodyBytes, bodyIdleMs, fileBytes",
    );
  });
});

it("rejects a driver in place of `storage` and says where it belongs", () => {
  expect(() => Reflect.apply(settingsOf, undefined, [{ storage: memoryDriver() }])).toThrow(
    "The options are invalid. storage: Must be an object with a driver or store as entities and optionally another as blobs: " +
      "storage: { entities: driver }. Received an object.",
  );
});

it.each([
  ['{"storage":{"base":".stepwell"}}', "storage.base: Unknown field. Pass a driver as entities: storage: { entities: "],
  ['{"storage":{"driver":{}}}', "storage.driver: Unknown field. Pass a driver as entities: storage: { entities: "],
  ['{"services":[{}]}', "services.0: Must be a service created with defineService. Received an object."],
  ['{"webSearch":{}}', "webSearch: Must be a provider such as brave({ key }). Received an object."],
  ['{"baseUrl":"http://localhost:3000/?a"}', "baseUrl: Must be an http or https URL without a query and a fragment,"],
  ['{"limits":{"files":1}}', "limits.files: Unknown limit. Expected one of bodyBytes, "],
  ['{"limits":{"queuedRuns":-1}}', "limits.queuedRuns: Must be a whole number of at least 0. Received -1."],
])("names the option and what is right: %s", (options, message) => {
  expect(() => settingsOf(JSON.parse(options))).toThrow(`The options are invalid. ${message}`);
});

it("an unset option that a request needs is logged as a warning with the reason, without a stack", async () => {
  const logged: unknown[] = [];
  const put = (level: string) => (message: string, fields: unknown) => void logged.push([level, message, fields]);
  const logger = { debug: put("debug"), info: put("info"), warn: put("warn"), error: put("error") };
  const nothing = v.object({});
  const mail = defineService({
    name: "mail",
    connection: nothing,
    actions: { send: { input: nothing, output: nothing, run: async () => ({}) } },
  });
  const stepwell = createStepwell({ logger, services: [mail] });
  const app = await stepwell.apps.create({ name: "A" });
  const { key } = await stepwell.keys.create(app.id, { name: "All" });
  const request = new Request(`http://localhost:3000/apps/${app.id}/connections`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ service: "mail", name: "N", credentials: {} }),
  });
  expect((await stepwell.fetch(request)).status).toBe(501);
  expect(logged).toMatchObject([
    ["warn", "a request needs an option that is not set", { method: "POST", reason: expect.any(String) }],
  ]);
  await stepwell.close();
});

it("calls after close say that the instance is closed", async () => {
  const stepwell = createStepwell();
  await stepwell.apps.list();
  await stepwell.close();
  const message = "This Stepwell instance is closed. Create a new one.";
  await expect(stepwell.apps.create({ name: "A" })).rejects.toThrow(message);
});

it("requests after close end their connections, and are no errors in the log", async () => {
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const adminKey = "an-admin-key-of-more-than-32-characters";
  const stepwell = createStepwell({ adminKey, logger: { debug() {}, info: log, warn: log, error: log } });
  await stepwell.apps.list();
  await stepwell.close();
  const headers = { authorization: `Bearer ${adminKey}` };
  const response = await stepwell.fetch(new Request("http://localhost/apps", { headers }));
  expect([response.status, response.headers.get("connection"), response.headers.get("retry-after")]).toEqual([
    ...[503, "close", "5"],
  ]);
  expect(logged).toEqual([]);
});

it.each(['{"entities":".stepwell"}', '{"entities":null}', '{"blobs":{}}'])(
  "rejects the storage option %s",
  (storage) => {
    expect(() => settingsOf({ storage: JSON.parse(storage) })).toThrow(
      /storage\.(entities|blobs): Must be an unstorage driver/,
    );
  },
);

it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
  "rejects %s threads for the sandbox and the extractor",
  (threads) => {
    const message = `threads must be a whole number of at least 1, not ${threads}.`;
    expect(() => createQuickjsSandbox({ threads })).toThrow(new RangeError(message));
    expect(() => createExtractor({ threads })).toThrow(new RangeError(message));
  },
);

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
    ...[7, "", " ", "a b", "a\n", "schlüssel", null].map((adminKey): [string, object] => ["adminKey", { adminKey }]),
    ...[0, 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, "1"].map((checkpointRecords): [string, object] => [
      "storage.checkpointRecords",
      { storage: { checkpointRecords } },
    ]),
    ...[-1, Number.NaN, Number.POSITIVE_INFINITY].map((maxAge): [string, object] => [
      "cors.maxAge",
      { cors: { origins: "*", maxAge } },
    ]),
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
  ])("is reported by its path when it is invalid: %s in %j", (option, options) => {
    const pattern = new RegExp(`(?:wrong\\.|[.,]) ${option.replaceAll(".", "\\.")}: (?:Must|Unknown|Is )`);
    expect(wrong(options)).toThrow(StepwellError);
    expect(wrong(options)).toThrow(pattern);
  });

  it.each([
    [{ storage: { checkpointRecords: 1.5 } }, "Received 1.5."],
    [{ cors: { origins: "*", maxAge: Number.NaN } }, "Received NaN."],
    [{ adminKey: "" }, "Received an empty string."],
  ])("is reported with the received value: %j", (options, shown) => expect(wrong(options)).toThrow(shown));

  it("is reported without its value when it may be secret", () => {
    expect(wrong({ adminKey: "hunter 2", secret: "hunter 3" })).toThrow(/^(?!.*hunter).*secret: .*Received a string/);
  });

  it.each([
    [undefined, false],
    ["short", true],
    ["eleven-char", true],
    ["twelve-chars", false],
  ])("logs a warning for an admin key that can be guessed, without the key: %j", async (adminKey, isWarned) => {
    const warnings: string[] = [];
    const ignore = () => undefined;
    const logger = {
      debug: ignore,
      info: ignore,
      warn: (message: string) => void warnings.push(message),
      error: ignore,
    };
    await createStepwell({ adminKey, logger }).close();
    const shown = expect.stringMatching(/^adminKey has fewer than 12 characters(?!.*(short|eleven))/);
    expect(warnings).toEqual(isWarned ? [shown] : []);
  });

  it.each([null, 7, "x", []])("options cannot be %j", (options) => {
    expect(wrong(options)).toThrow("The options must be an object.");
  });

  it("can be undefined, and all invalid options are reported at once", async () => {
    const nothing = Object.fromEntries(
      ["baseUrl", "storage", "cors", "net", "limits", "clock"].map((name) => [name, undefined]),
    );
    await wrong(nothing)().close();
    expect(wrong({ cors: 1, net: 2 })).toThrow(/net: Must .* cors: Must /);
  });

  it.each<readonly [string, CorsOptions]>([
    ["all", { origins: "*" }],
    ["some", { origins: ["https://a.example.com", "http://localhost:5173/", "null"], maxAge: 0 }],
    ["none", { origins: [] }],
  ])("cors.origins accepts %s", async (_, cors) => {
    await expect(createStepwell({ cors }).close()).resolves.toBeUndefined();
  });
});
