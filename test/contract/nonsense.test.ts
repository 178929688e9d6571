/** Service functions reject arguments that no type allows with a clear error. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStepwell, isStepwellError, type StepwellError } from "../../src/index.ts";

type Callable = (...given: readonly unknown[]) => unknown;

const stepwell = createStepwell();
afterAll(() => stepwell.close());

/** Every service function, by name. */
const functions = new Map<string, Callable>(
  Object.entries(stepwell).flatMap(([slice, value]) =>
    typeof value === "function"
      ? []
      : Object.entries<Callable>(value).map(([name, call]): [string, Callable] => [`${slice}.${name}`, call]),
  ),
);

/** Ids of existing resources. */
let ids: Record<string, string>;
beforeAll(async () => {
  const app = (await stepwell.apps.create({ name: "Tests" })).id;
  const workflow = (
    await stepwell.workflows.create(app, { name: "Test", steps: [{ type: "input", key: "in", input: {} }] })
  ).id;
  await stepwell.workflows.deploy(app, workflow);
  const run = (await stepwell.runs.create(app, workflow)).id;
  const { upload_url: upload } = await stepwell.files.createUpload(app);
  const used = await stepwell.files.createUpload(app);
  const file = (await stepwell.files.receive(used.upload_url, { body: new Uint8Array(3) })).id;
  const collection = (await stepwell.collections.create(app, { name: "Collection" })).id;
  ids = { app, workflow, run, upload, file, collection };
});

async function called(name: string, given: readonly unknown[]): Promise<unknown> {
  const answer = functions.get(name)?.(...given);
  // Events and items of lists. The event stream of the run ends, because it has ended; that of the app does not end.
  if (typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer) {
    for await (const _ of answer as AsyncIterable<unknown>) if (name === "apps.stream") break;
  }
  return answer;
}

async function refusal(name: string, given: readonly unknown[]): Promise<StepwellError | null> {
  const error = await called(name, given).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error !== null && !isStepwellError(error))
    throw new Error(`${name} rejected with no StepwellError`, { cause: error });
  return error;
}

describe("a service function", () => {
  it("exists for every operation", () => {
    expect(functions.size).toBeGreaterThan(35);
  });

  it("rejects arbitrary arguments with a StepwellError other than `internal`", async () => {
    const real = fc
      .constantFrom("app", "workflow", "run", "upload", "file", "collection")
      .map((name) => () => ids[name]);
    const anything = fc
      .anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withObjectString: true,
        withSparseArray: true,
        withTypedArray: true,
      })
      .map((value) => () => value);
    const app = fc.oneof({ weight: 4, arbitrary: fc.constant(() => ids["app"]) }, { weight: 1, arbitrary: anything });
    const rest = fc.array(fc.oneof(real, anything), { maxLength: 4 });
    const name = fc.constantFrom(...[...functions.keys()].filter((key) => !key.endsWith(".remove")));
    await fc.assert(
      fc.asyncProperty(name, app, rest, async (name, first, others) => {
        const given = [first, ...others].map((value) => value());
        const error = await refusal(name, given);
        expect(error?.code).not.toBe("internal");
      }),
      { numRuns: 300 },
    );
  });

  it.each(
    [...functions.keys()].filter(
      (name) =>
        ![
          "apps.create",
          "apps.list",
          "apps.listAll",
          "console.createSignIn",
          "services.list",
          "triggerTypes.list",
        ].includes(name),
    ),
  )("%s rejects an id that is not a string", async (name) => {
    for (const wrong of [undefined, null, 7, {}, [], true, Symbol("x"), 1n, () => "x"]) {
      const error = await refusal(name, [wrong, wrong, wrong, wrong]);
      expect(error?.code).toBe("invalid");
      expect(error?.errors[0]).toMatchObject({
        in: "path",
        message: expect.stringMatching(/^Must be a string, not /),
      });
    }
  });
});

describe("invalid arguments are rejected with a pointer", () => {
  const app = () => ids["app"];
  const workflow = () => ids["workflow"];
  const run = () => ids["run"];
  const upload = () => ids["upload"];
  const file = () => ids["file"];

  it.each<[string, (() => unknown)[], unknown, string]>([
    ["runs.create", [app, workflow], null, ""],
    ["runs.create", [app, workflow], [], ""],
    ["runs.create", [app, workflow], { input: 1 }, "/input"],
    ["runs.list", [app], null, ""],
    ["runs.list", [app], { take: {} }, "/take"],
    ["runs.wait", [app, run], null, ""],
    ["runs.wait", [app, run], 1_000, ""],
    ["runs.wait", [app, run], { timeoutMs: "1s" }, "/timeoutMs"],
    ["runs.wait", [app, run], { timeoutMs: Number.NaN }, "/timeoutMs"],
    ["runs.wait", [app, run], { timeoutMs: -1 }, "/timeoutMs"],
    ["runs.wait", [app, run], { timeoutMs: 2 ** 31 }, "/timeoutMs"],
    ["runs.wait", [app, run], { signal: {} }, "/signal"],
    ["runs.wait", [app, run], { timeuot: 1 }, "/timeuot"],
    ["runs.events", [app, run], null, ""],
    ["runs.events", [app, run], { after: "1" }, "/after"],
    ["files.content", [app, file], null, ""],
    ["files.content", [app, file], { start: "0", end: 1 }, "/start"],
    ["files.content", [app, file], { start: 0.5, end: 1 }, "/start"],
    ["files.receive", [upload], undefined, "/body"],
    ["files.receive", [upload], () => ({ body: "x" }), "/body"],
    ["files.receive", [upload], { body: { [Symbol.asyncIterator]: 1 } }, "/body"],
    ["files.receive", [upload], { body: Object.create(null) }, "/body"],
    ["files.receive", [upload], { body: new Uint8Array(1), signal: 1 }, "/signal"],
    ["apps.create", [], null, ""],
    ["collections.create", [app], undefined, "/name"],
  ])("%s (%#)", async (name, path, last, pointer) => {
    const error = await refusal(name, [...path.map((value) => value()), last]);
    expect(error).toMatchObject({ code: "invalid", status: 422 });
    expect(error?.errors[0]?.pointer).toBe(pointer);
    expect(error?.message).not.toBe("");
  });

  it("runs.wait accepts an AbortSignal and a timeout of 0", async () => {
    const { signal } = new AbortController();
    expect(await refusal("runs.wait", [app(), run(), { signal, timeoutMs: 0 }])).toBeNull();
    expect(await refusal("runs.wait", [app(), run(), { signal: undefined, timeoutMs: undefined }])).toBeNull();
  });
});

describe("an upload URL", () => {
  it.each(["?x", "?a=/b/c", "#top", "?x#y"])("works with %s appended, in process and over HTTP", async (more) => {
    const { upload_url } = await stepwell.files.createUpload(ids["app"] ?? "");
    const status = await stepwell.fetch(
      new Request(`${upload_url}${more}`, { headers: { accept: "application/json" } }),
    );
    expect(await status.json()).toMatchObject({ status: "open" });
    expect(await stepwell.files.receive(`${upload_url}${more}`, { body: new Uint8Array(1) })).toMatchObject({
      size: 1,
    });
  });

  it("returns 404 with a trailing slash, in process and over HTTP", async () => {
    const { upload_url } = await stepwell.files.createUpload(ids["app"] ?? "");
    const status = await stepwell.fetch(new Request(`${upload_url}/`, { headers: { accept: "application/json" } }));
    expect(status.status).toBe(404);
    expect((await refusal("files.receive", [`${upload_url}/`, { body: new Uint8Array(1) }]))?.code).toBe("not_found");
  });
});
