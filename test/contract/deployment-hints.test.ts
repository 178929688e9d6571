/** Validation messages for steps that can never run: where, what is wrong, and what would be right. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";

let service: TestService;
let workflow: string;
beforeAll(async () => {
  service = await createTestService();
  workflow = (await service.stepwell.workflows.create(service.app, { name: "Draft" })).id;
});
afterAll(() => service.close());

const errorsOf = async (definition: JsonObject) =>
  (await service.stepwell.workflows.validate(service.app, workflow, definition)).errors;
const errorsOfStep = (step: JsonObject) => errorsOf({ steps: [{ key: "s", ...step }] });

describe.each(["http_request", "browser"])("the URL of a %s step", (type) => {
  it.each([
    "",
    "x",
    "example.com",
    "/path",
    "//example.com",
    "http://",
    "https:// x",
    "ftp://example.com",
    "file:///etc",
    "data:,x",
  ])("is rejected: %j", async (url) => {
    expect(await errorsOfStep({ type, url })).toEqual([
      { pointer: "/steps/0/url", message: expect.stringMatching(/Use a URL that starts with https?:\/\//) },
    ]);
  });

  it.each(["http://user:password@example.com"])("is rejected without repeating its credentials: %s", async (url) => {
    const [error] = await errorsOfStep({ type, url });
    expect(error?.message).not.toContain("password@");
  });

  it.each([
    "https://example.com",
    "http://127.0.0.1:8080/x?y",
    "{{ input.url }}",
    "{{ input.scheme }}example.com",
    "x{{ input.rest }}",
  ])("is accepted: %j", async (url) => {
    expect(await errorsOfStep({ type, url })).toEqual([]);
  });
});

describe("an invalid condition", () => {
  it.each([
    ["{{ input.a > 1 }}", /^Write the expression without braces: "input.a > 1"\.$/],
    ["input.a === 1", / CEL uses == and !=\.$/],
    ["input.a !== 'x'", / CEL uses == and !=\.$/],
    ["step.a.output > 1", / Did you mean "steps"\?$/],
    ["inputs.a", / Did you mean "input"\?$/],
    ["somethingElse", / Available: input, steps, run, app, now\.$/],
    ["input.a > '==='+", /^(?!.*CEL compares)/],
  ])("is rejected with a hint: %s", async (condition, message) => {
    const [error] = await errorsOfStep({
      type: "branch",
      conditions: { x: { order: 1, condition, destinations: [] } },
    });
    expect(error).toEqual({
      pointer: "/steps/0/conditions/x/condition",
      message: expect.stringMatching(message),
      // Where in the expression.
      at: expect.any(Number),
      end: expect.any(Number),
    });
  });
});

describe("a value of the wrong type", () => {
  it.each<[JsonObject, string, string]>([
    [
      { type: "http_request", url: "https://a.test", method: "post" },
      "/steps/0/method",
      'Must be one of "GET", "POST", "PUT", "PATCH", "DELETE", not "post". Did you mean "POST"?',
    ],
    [{ type: "branch", conditions: [] }, "/steps/0/conditions", "Must be an object, not an array."],
    [{ type: "code", code: {} }, "/steps/0/code", "Must be a string, not an object."],
    [
      { type: "http_request", url: "https://a.test", headers: 7 },
      "/steps/0/headers",
      "Must be a string or an object, not 7.",
    ],
  ])("is rejected with the expected type: %j", async (step, pointer, message) => {
    expect(await errorsOfStep(step)).toEqual([{ pointer, message }]);
  });
});

it("rejects run values outside `input` and says where they belong", async () => {
  const { id } = await service.stepwell.workflows.create(service.app, { name: "Run", steps: [] });
  await service.stepwell.workflows.deploy(service.app, id);
  const given: JsonObject = { n: 1 };
  await expect(service.stepwell.runs.create(service.app, id, given)).rejects.toMatchObject({
    errors: [{ pointer: "/n", message: "Unknown field. Pass values for the workflow in input." }],
  });
});

it("rejects a string argument of a service function without mentioning a body", async () => {
  await expect(Reflect.apply(service.stepwell.apps.create, undefined, ["a"])).rejects.toMatchObject({
    message: 'the argument: Must be an object, not "a".',
  });
});

describe("an unknown service", () => {
  it("is reported together with missing fields", async () => {
    const errors = await errorsOf({
      steps: [
        { type: "service", key: "a", service: { service: "fils", action: "read" } },
        { type: "service", key: "b", service: { service: "files", action: "raed", input: {} }, conditional: 7 },
        { type: "service", service: { service: "files", action: "read" } },
      ],
    });
    expect(errors).toEqual([
      { pointer: "/steps/0/service/input", message: "Is required." },
      { pointer: "/steps/1/conditional", message: "Must be a string, not 7." },
      { pointer: "/steps/2/key", message: "Is required." },
      { pointer: "/steps/2/service/input", message: "Is required." },
      { pointer: "/steps/0/service/service", message: expect.stringContaining('There is no service named "fils"') },
      { pointer: "/steps/1/service/action", message: expect.stringContaining('named "raed"') },
    ]);
  });

  it.each<JsonObject>([
    { steps: 7 },
    { steps: [null, 7, [], {}, { type: "service" }, { type: "service", service: [] }] },
    { steps: [{ type: "service", service: { service: 7, action: {} } }] },
  ])("is not reported where the definition names none: %j", async (definition) => {
    const errors = await errorsOf(definition);
    expect(errors.filter(({ message }) => message.startsWith("There is no"))).toEqual([]);
  });
});

describe("an unknown type", () => {
  const TYPES = '"note", "input", "branch", "code", "model", "http_request", "browser", "workflow", "service"';

  it.each<[unknown, string]>([
    ["htp_request", `Must be one of ${TYPES}, not "htp_request". Did you mean "http_request"?`],
    ["HTTP-Request", `Must be one of ${TYPES}, not "HTTP-Request". Did you mean "http_request"?`],
    ["banana", `Must be one of ${TYPES}, not "banana".`],
    [7, `Must be one of ${TYPES}, not 7.`],
    [null, `Must be one of ${TYPES}, not null.`],
  ])("of a step is rejected with the valid types: %j", async (type, message) => {
    const definition = JSON.parse(JSON.stringify({ steps: [{ key: "s", type }] }));
    expect(await errorsOf(definition)).toEqual([{ pointer: "/steps/0/type", message }]);
  });

  it("of a step without a type, or of a step that is no object, is reported", async () => {
    expect(await errorsOfStep({})).toEqual([{ pointer: "/steps/0/type", message: `Is required: one of ${TYPES}.` }]);
    expect(await errorsOf({ steps: [7] })).toEqual([{ pointer: "/steps/0", message: "Must be an object, not 7." }]);
  });

  it("of an input field is rejected with the valid types", async () => {
    const [error] = await errorsOf({ input: { a: { type: "object", fields: { b: { type: "nubmer" } } } } });
    expect(error?.pointer).toBe("/input/a/fields/b/type");
    expect(error?.message).toMatch(
      /^Must be one of "file", "number", .*"object", not "nubmer". Did you mean "number"\?$/,
    );
  });

  it("is truncated in the message", async () => {
    const [error] = await errorsOfStep({ type: "x".repeat(100_000) });
    expect(error?.message.length).toBeLessThan(400);
  });
});
