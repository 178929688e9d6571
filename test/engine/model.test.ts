/** Model steps against the wire formats of OpenAI and Anthropic: requests, responses and events. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunEvent, StepOf } from "../../src/index.ts";
import { openService, type Service, step } from "../support/engine/service.ts";
import { openModelServer } from "../support/servers/model-server.ts";

type Provider = StepOf<"model">["provider"];

let server: Awaited<ReturnType<typeof openModelServer>>;
let service: Service;
beforeAll(async () => {
  server = await openModelServer();
  service = await openService({ models: server.models, net: { allow: ["127.0.0.1"] } });
});
afterAll(async () => {
  await service.stepwell.close();
  await server.close();
});

const ask = (provider: Partial<Provider> = {}): StepOf<"model"> => ({
  type: "model",
  key: "ask",
  provider: { provider: "openai", model: "m", messages: "Hi {{ input.name }}", ...provider },
});
const output = async (provider: Partial<Provider>, input = {}) => {
  const run = await service.run([ask(provider)], { name: "Ada", ...input });
  return step(run, "ask").error ?? step(run, "ask").output;
};
/** The body of the last request. */
function last() {
  const request = server.requests.at(-1);
  if (request === undefined) throw new Error("The model got no request.");
  return request.body;
}

describe.each(["openai", "chat", "anthropic", "local"])("the provider %s", (provider) => {
  it.each([false, true])("returns text and token usage, streamed: %s", async (stream) => {
    server.replyWith([{ text: "Good morning, Ada." }]);
    expect(await output({ provider, features: { stream } })).toMatchObject({
      text: "Good morning, Ada.",
      finish_reason: "stop",
      iterations: 1,
      tool_calls: [],
      usage: { input_tokens: 7, output_tokens: 5, total_tokens: 12 },
    });
    expect(last().model).toBe("m");
    expect(last().stream === true).toBe(stream);
    expect(JSON.stringify(last())).toContain("Hi Ada");
    expect(server.requests).toHaveLength(1);
  });

  it("emits step.delta events with the text as it arrives", async () => {
    let go = () => {};
    const when = new Promise<void>((resolve) => {
      go = resolve;
    });
    server.replyWith([{ text: "one two three", when }]);
    const { id } = await service.start([ask({ provider, features: { stream: true } })], { name: "x" });
    const events: RunEvent[] = [];
    for await (const event of service.stepwell.runs.events(service.app, id)) {
      events.push(event);
      go();
    }
    const deltas = events.filter((event) => event.type === "step.delta");
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ text }) => text).join("")).toBe("one two three");
    expect(deltas[0]).toMatchObject({ step: "ask", run_id: id });
  });

  it("sends messages of each role, with text and image parts", async () => {
    server.replyWith([{ text: "yes" }]);
    const { id } = await service.stepwell.files.receive(
      (await service.stepwell.files.createUpload(service.app)).upload_url,
      {
        name: "dot.png",
        body: PNG,
      },
    );
    await output(
      {
        provider,
        messages: [
          { role: "system", content: "Be short." },
          { role: "user", content: "A?" },
          { role: "assistant", content: "B." },
          {
            role: "user",
            content: [
              { type: "text", text: "And {{ input.name }}?" },
              { type: "image", file_id: "{{ input.picture }}" },
            ],
          },
        ],
      },
      { picture: id },
    );
    const sent = JSON.stringify(last());
    for (const part of ["Be short.", "A?", "B.", "And Ada?", Buffer.from(PNG).toString("base64")]) {
      expect(sent).toContain(part);
    }
  });

  it("sends temperature and max_tokens", async () => {
    server.replyWith([{ text: "yes" }]);
    await output({ provider, temperature: 0.5, max_tokens: 77 });
    const { temperature, max_tokens, max_output_tokens } = last();
    expect([temperature, max_tokens ?? max_output_tokens]).toEqual([0.5, 77]);
  });
});

describe("a model step", () => {
  it("accepts messages from an expression and rejects an unknown role", async () => {
    server.replyWith([{ text: "yes" }]);
    const list = [
      { role: "system", content: "S" },
      { role: "user", content: "U" },
    ];
    expect(await output({ messages: "{{ input.list }}", provider: "chat" }, { list })).toMatchObject({ text: "yes" });
    expect(last().messages?.map(({ role, content }) => [role, content])).toEqual([
      ["system", "S"],
      ["user", "U"],
    ]);
    expect(await output({ messages: "{{ input.list }}" }, { list: [{ role: "king", content: "" }] })).toMatchObject({
      code: "invalid",
    });
  });

  it("fails for a private image URL and for an unknown file", async () => {
    server.replyWith([{ text: "yes" }]);
    const picture = (url: string) => ({
      messages: [{ role: "user" as const, content: [{ type: "image" as const, url }] }],
    });
    expect(await output(picture("http://169.254.169.254/latest"))).toMatchObject({ code: "address_refused" });
    const file = { messages: [{ role: "user" as const, content: [{ type: "file" as const, file_id: "afile_none" }] }] };
    expect(await output(file)).toMatchObject({ code: "not_found" });
    expect(server.requests).toEqual([]);
  });

  it("returns the cost that a provider reports", async () => {
    server.replyWith([{ text: "yes" }]);
    expect(await output({ provider: "local" })).toMatchObject({
      usage: { cost: 0.25, cached_tokens: 2, reasoning_tokens: 1 },
    });
  });

  it("sends the features reasoning and cache", async () => {
    server.replyWith([{ text: "yes" }, { text: "yes" }]);
    await output({ model: "gpt-5", features: { reasoning: "high" } });
    expect(last().reasoning).toMatchObject({ effort: "high" });
    await output({ provider: "anthropic", features: { cache: true } });
    expect(last().cache_control).toEqual({ type: "ephemeral" });
  });
});

const JSON_SCHEMA = {
  type: "json_schema" as const,
  schema: {
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
    additionalProperties: false,
  },
};

describe("a JSON response", () => {
  it.each(["openai", "chat", "anthropic", "local"])(
    "is requested with its schema and parsed (%s)",
    async (provider) => {
      for (const stream of [false, true]) {
        server.replyWith([{ text: '{"n":1}' }]);
        expect(await output({ provider, response_format: JSON_SCHEMA, features: { stream } })).toMatchObject({
          object: { n: 1 },
          text: '{"n":1}',
        });
        expect(JSON.stringify(last()).replaceAll("\\", "")).toContain('"n":{"type":"integer"}');
      }
    },
  );

  it.each(["openai", "chat", "anthropic", "local"])(
    "without a schema is requested by instruction, too (%s)",
    async (provider) => {
      server.replyWith([{ text: '{"n":1}' }]);
      expect(await output({ provider, response_format: { type: "json_object" } })).toMatchObject({ object: { n: 1 } });
      expect(JSON.stringify(last())).toContain("Respond with a JSON object"); // OpenAI refuses it without the word
      server.replyWith([{ text: '{"n":1}' }]);
      const messages = [
        { role: "system" as const, content: "Be brief." },
        { role: "user" as const, content: "Hi" },
      ];
      await output({ provider: "local", messages, response_format: JSON_SCHEMA });
      const received = (last().messages ?? []).map(({ role, content }) => [role, String(content).slice(0, 31)]);
      expect(received).toEqual([
        ["system", "Be brief.\n\nRespond with a JSON "],
        ["user", "Hi"],
      ]);
    },
  );

  it.each([
    ["not JSON", "no", "not valid JSON"],
    ["against its schema", '{"n":"1"}', "#/n: "],
    ["with an unknown property", '{"n":1,"m":2}', "#/m"],
  ])("is requested once more with the reason when it is %s", async (_, text, reason) => {
    server.replyWith([{ text }, { text: '```json\n{"n":2}\n```' }]);
    expect(await output({ response_format: JSON_SCHEMA })).toMatchObject({
      object: { n: 2 },
      iterations: 2,
      usage: { total_tokens: 24 },
    });
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(last())).toContain(reason);
  });

  it("fails the step when the second one is invalid, too", async () => {
    server.replyWith([{ text: "[]" }, { text: '{"n":null}' }]);
    expect(await output({ response_format: JSON_SCHEMA })).toEqual({
      code: "invalid_output",
      message: expect.stringContaining("#/n: "),
    });
    expect(server.requests).toHaveLength(2);
  });

  it("is checked against patterns that take JavaScript exponential time", async () => {
    const word = { type: "string", pattern: "^(a+)+$" };
    const schema = {
      type: "object",
      properties: { x: word, y: { anyOf: [{ type: "number" }, word] } },
      patternProperties: { "^n(o+)+$": { type: "number" } },
    };
    const response_format = { type: "json_schema" as const, schema };
    const long = "a".repeat(40);
    const wrong = { x: `${long}!`, y: `${long}!`, [`n${"o".repeat(40)}`]: "" };
    const right = { x: long, y: long, [`n${"o".repeat(40)}`]: 1, [`n${"o".repeat(40)}!`]: "" };
    server.replyWith([{ text: JSON.stringify(wrong) }, { text: JSON.stringify(right) }]);
    expect(await output({ response_format })).toMatchObject({ object: right, iterations: 2 });
    const retryRequest = JSON.stringify(last());
    for (const place of ["#/x: String does not match pattern", "#/y: ", "#/nooo"])
      expect(retryRequest).toContain(place);
  });

  it("without a schema must be an object", async () => {
    server.replyWith([{ text: "[1]" }, { text: '{"a":[1]}' }]);
    expect(await output({ response_format: { type: "json_object" } })).toMatchObject({ object: { a: [1] } });
  });
});

describe("deploying a model step", () => {
  const problems = async (provider: Partial<Provider>) => {
    const error = await service.deploy([ask(provider)]).catch((refused: { errors?: unknown }) => refused);
    return (error as { errors?: { pointer: string; message: string }[] }).errors;
  };

  it.each<[string, Partial<Provider>, string, string]>([
    ["provider", { provider: "nobody" }, "/provider", '"openai", "chat", "anthropic", "local"'],
    ["service", { tools: ["none.such"] }, "/tools/0", "no service named"],
    ["workflow", { tools: ["work_none"] }, "/tools/0", "work_none"],
    ["schema", { response_format: { type: "json_schema" } }, "/response_format/schema", "Is required"],
    [
      "type",
      { response_format: { type: "json_schema", schema: { type: "text" } } },
      "/response_format/schema",
      "/type must be",
    ],
    [
      "reference",
      { response_format: { type: "json_schema", schema: { properties: { a: { $ref: "#/$defs/b" } } } } },
      "/response_format/schema",
      "does not resolve",
    ],
    [
      "pattern",
      { response_format: { type: "json_schema", schema: { pattern: "(" } } },
      "/response_format/schema",
      "which RE2 does not support",
    ],
    ["file", { messages: [{ role: "user", content: [{ type: "image" }] }] }, "/messages/0/content/0", "file_id or url"],
    ["expression", { messages: "{{ input. }}" }, "/messages", ""],
  ])("reports the JSON Pointer of an invalid %s", async (_, provider, pointer, message) => {
    expect(await problems(provider)).toEqual([
      expect.objectContaining({ pointer: `/steps/0/provider${pointer}`, message: expect.stringContaining(message) }),
    ]);
  });

  it("accepts a schema with resolvable and recursive references", async () => {
    const schema = { $defs: { b: { type: "string" } }, properties: { a: { $ref: "#/$defs/b" }, c: { $ref: "#" } } };
    expect(await problems({ response_format: { type: "json_schema", schema } })).toBeUndefined();
  });
});

const PNG = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
