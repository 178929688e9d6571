/** Input fields, conditions and records may have names of Object.prototype members, in definitions, runs and data. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createQuickjsSandbox } from "../../adapters/sandbox/quickjs.ts";
import { isStepwellError, type JsonObject, type JsonValue, type Step } from "../../src/index.ts";
import { inputSchema } from "../../src/workflows/input/json-schema.ts";
import { openService, type Service } from "../support/engine/service.ts";

const NAMES = [
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "isPrototypeOf",
  "__defineGetter__",
];

let service: Service;
let key: string;
beforeAll(async () => {
  service = await openService({ sandbox: createQuickjsSandbox({ threads: 1 }), baseUrl: "http://localhost" });
  ({ key } = await service.stepwell.keys.create(service.app, { name: "names" }));
});
afterAll(() => service.stepwell.close());

/** A call over HTTP with a raw body. */
async function send(method: string, path: string, body: string): Promise<[status: number, answer: JsonObject]> {
  const answer = await service.stepwell.fetch(
    new Request(`http://localhost/apps/${service.app}${path}`, {
      method,
      body,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    }),
  );
  return [answer.status, await answer.json()];
}

const named = (name: string, value: JsonValue): JsonObject => Object.fromEntries([[name, value]]);

/** Steps that read a field and test for it, in code and in expressions. */
const steps = (name: string, field: JsonObject): Step[] => [
  { type: "input", key: "start", input: named(name, field) as never, destinations: ["code"] }, // a field of this type
  {
    type: "code",
    key: "code",
    code: `return [input[${JSON.stringify(name)}], Object.keys(input)]`,
    destinations: ["check"],
  },
  {
    type: "branch",
    key: "check",
    conditions: {
      [name]: {
        order: 1,
        condition: `input.${name} == 'v' && has(input.${name}) && '${name}' in input`,
        destinations: [],
      },
      other: { order: 2, condition: `input["${name}"] == 'd'`, destinations: [] },
    },
  },
];

describe.each(NAMES)("an input field named %s", (name) => {
  const definition = steps(name, { type: "string", default: "d" });
  const outputs = async (input: JsonObject) => {
    const run = await service.run(definition, input);
    return [run.status, run.input, ...run.steps.map(({ output }) => output)];
  };

  it("takes the value of the run, or its default", async () => {
    expect(await outputs(named(name, "v"))).toEqual([
      "succeeded",
      named(name, "v"),
      named(name, "v"),
      ["v", [name]],
      { taken: name },
    ]);
    expect(await outputs({})).toEqual(["succeeded", {}, named(name, "d"), ["d", [name]], { taken: "other" }]);
  });

  it("is reported as missing when required, and null when optional", async () => {
    const required = [{ type: "input", key: "start", input: named(name, { type: "string" }) }] as unknown as Step[];
    await expect(service.run(required)).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: `/input/${name}`, message: "Is required." }],
    });
    const optional = named(name, { type: "string", optional: true });
    const run = await service.run([{ type: "input", key: "start", input: optional }] as unknown as Step[]);
    expect(run.output).toEqual(named(name, null));
  });

  it("works in object fields, in input_default and in the JSON Schema for models", async () => {
    const fields = named(name, { type: "string" });
    const input = { o: { type: "object", fields } } as never;
    const workflow = await service.deploy([{ type: "input", key: "start", input }], {
      input_default: { o: named(name, "d") },
    });
    expect((await service.runOf(workflow)).output).toEqual({ o: named(name, "d") });
    expect(inputSchema(fields as never)).toMatchObject({
      properties: named(name, { type: "string" }),
      required: [name],
    });
  });

  it("is accepted over HTTP", async () => {
    const written = JSON.stringify({ name: "W", steps: definition });
    const [, workflow] = await send("POST", "/workflows", written);
    await service.stepwell.workflows.deploy(service.app, String(workflow["id"]));
    const [status, run] = await send("POST", `/workflows/${workflow["id"]}/runs`, `{"input":{"${name}":"v"}}`);
    expect([status, run["input"]]).toEqual([201, named(name, "v")]);
    const ended = await service.wait(String(run["id"]));
    expect(ended.steps.map(({ output }) => output)[2]).toEqual({ taken: name });
  });

  it("can also name an entity and a field of a record and of a mapping", async () => {
    const [, collection] = await send(
      "POST",
      "/collections",
      `{"name":"C","config":{"mappings":[{"source_path":"${name}:${name}","destination_paths":["copy:${name}"]}]}}`,
    );
    const path = `/collections/${collection["id"]}/records`;
    const [status, record] = await send("POST", path, `{"data":{"${name}":{"${name}":"v"}}}`);
    expect([status, record["data"]]).toEqual([201, { ...named(name, named(name, "v")), copy: named(name, "v") }]);
    const [, changed] = await send("PATCH", `${path}/${record["id"]}`, `{"data":{"${name}":{"${name}":null}}}`);
    expect(changed["data"]).not.toHaveProperty("copy");
  });
});

describe("an input field named __proto__", () => {
  const definition = JSON.parse('{"__proto__":{"type":"string"}}');

  it("is rejected with its JSON Pointer, in process and over HTTP", async () => {
    const refusal = await service.draft([{ type: "input", key: "start", input: definition }]).catch((error) => error);
    if (!isStepwellError(refusal, "invalid")) throw refusal;
    const wrong = [{ pointer: "/steps/0/input/__proto__", message: 'The key "__proto__" is not allowed.' }];
    expect(refusal.errors).toEqual(wrong);
    const body = '{"name":"W","steps":[{"type":"input","key":"start","input":{"__proto__":{"type":"string"}}}]}';
    expect(await send("POST", "/workflows", body)).toMatchObject([400, { code: "malformed", errors: wrong }]);
    expect(Object.prototype).not.toHaveProperty("type");
  });

  it("is rejected in the input of a run, which may have any other key", async () => {
    const workflow = await service.deploy([{ type: "note", key: "n", note: "" }]);
    const [status, { errors }] = await send("POST", `/workflows/${workflow}/runs`, '{"input":{"__proto__":"v"}}');
    expect([status, errors]).toEqual([
      400,
      [{ pointer: "/input/__proto__", message: 'The key "__proto__" is not allowed.' }],
    ]);
  });
});

it("has() finds fields of a step whose key contains a space", async () => {
  const run = await service.run([
    { type: "code", key: "a b", code: "return { x: 1 }", destinations: ["check"] },
    {
      type: "branch",
      key: "check",
      conditions: {
        both: {
          order: 1,
          condition: "has(steps['a b'].output) && has(steps['a b'].output['x']) && !has(steps['a b'].output['y z'])",
          destinations: [],
        },
      },
    },
  ]);
  expect(run.output).toEqual({ taken: "both" });
});
