/** Wrong options are refused at once: they would have no effect, or make calls hang. */
import { describe, expect, it, vi } from "vitest";
import { createClient, StepwellError } from "../../src/client/index.ts";

const URL_GIVEN = "https://example.test/a";

function errorOf(create: () => unknown): StepwellError {
  try {
    create();
  } catch (error) {
    if (error instanceof StepwellError) return error;
    throw error;
  }
  throw new Error("Throws nothing");
}

/** Functions whose arguments the compiler does not check. */
const unchecked: (options: unknown) => { with(options: unknown): unknown } = Object(createClient);

describe("an option of createClient", () => {
  it.each<[object]>([
    [{ key: 5 }],
    [{ key: null }],
    [{ headers: "a: b" }],
    [{ fetch: "fetch" }],
    [{ retries: -1 }],
    [{ retries: 1.5 }],
    [{ retries: Number.NaN }],
    [{ retries: "3" }],
    [{ timeoutMs: 0 }],
    [{ timeoutMs: -5 }],
    [{ timeoutMs: Number.NaN }],
    [{ timeoutMs: 2 ** 31 }],
    [{ timeoutMs: "1000" }],
    [{ maxResponseBytes: 0 }],
    [{ maxResponseBytes: Number.NaN }],
    [{ url: `${URL_GIVEN}?x=1` }],
    [{ url: `${URL_GIVEN}#top` }],
  ])("that is wrong is refused: %o", (options) => {
    const { code, errors } = errorOf(() => unchecked({ url: URL_GIVEN, ...options }));
    expect(code).toBe("invalid");
    expect(errors).toMatchObject([{ pointer: `/${Object.keys(options).join()}`, message: /^Must be / }]);
  });

  it("that does not exist is refused with the names of those that do", () => {
    const { code, message } = errorOf(() => unchecked({ url: URL_GIVEN, retry: 3 }));
    expect(code).toBe("invalid");
    expect(message).toMatch(/^\/retry: Unknown field\. Known: url, key, headers, fetch, retries, /);
    expect(errorOf(() => unchecked({ url: URL_GIVEN, toString: 3 })).message).toMatch(/^\/toString: Unknown/);
  });

  it.each([["https://example.test"], [5], [[]]])("must be a field of an object, not %o", (options) => {
    expect(errorOf(() => unchecked(options))).toMatchObject({ code: "invalid", errors: [{ pointer: "" }] });
  });

  it("may be undefined, a limit, or without one", () => {
    const none = { key: undefined, headers: undefined, fetch: undefined, retries: undefined, timeoutMs: undefined };
    const least = { retries: 0, timeoutMs: 1, maxResponseBytes: 1 };
    const most = { retries: 1e9, timeoutMs: 2 ** 31 - 1, maxResponseBytes: Infinity };
    for (const options of [none, least, most, { timeoutMs: Infinity }, { key: () => "key", headers: () => ({}) }]) {
      expect(() => unchecked({ url: URL_GIVEN, ...options })).not.toThrow();
    }
  });
});

describe("an option of with", () => {
  it.each<[object]>([[{ signal: new AbortController() }], [{ headers: 5 }], [{ idempotencyKey: 5 }], [{ key: 5 }]])(
    "that is wrong is refused: %o",
    (options) => {
      const { code, errors } = errorOf(() => unchecked({ url: URL_GIVEN }).with(options));
      expect(code).toBe("invalid");
      expect(errors).toMatchObject([{ pointer: `/${Object.keys(options).join()}`, message: /^Must be / }]);
    },
  );

  it("that does not exist is refused with the names of those that do", () => {
    const { code, message } = errorOf(() => unchecked({ url: URL_GIVEN }).with({ timeoutMs: 5 }));
    expect(code).toBe("invalid");
    expect(message).toBe("/timeoutMs: Unknown field. Known: signal, headers, idempotencyKey, key.");
  });
});

it("the longest time limit is no longer than a timer takes, also for a call that waits in addition", async () => {
  const warn = vi.spyOn(process, "emitWarning");
  const fetch = async () => Response.json({ id: "run_1" });
  const client = createClient({ url: URL_GIVEN, fetch, timeoutMs: 2 ** 31 - 1 });
  expect(await client.with({ headers: { prefer: "wait=9999" } }).runs.get("me", "run_1")).toMatchObject({
    id: "run_1",
  });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
