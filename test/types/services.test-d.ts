/** Types of services: arguments, results, and the steps that call them. */
import * as v from "valibot";
import { assertType, describe, expectTypeOf, it } from "vitest";
import {
  type ActionContext,
  type AnyTriggerType,
  createStepwell,
  defineService,
  defineTrigger,
  type InputDefinition,
  type JsonValue,
  type ParsedSteps,
  parseDefinition,
  type ServiceCall,
  type Step,
  type Stepwell,
  type WorkflowCreate,
} from "../../src/index.ts";

const slack = defineService({
  name: "slack",
  actions: {
    post: {
      title: "Post a message",
      input: v.object({
        channel: v.string(),
        retries: v.optional(v.number(), 0),
        urgent: v.optional(v.boolean()),
        level: v.picklist(["info", "alarm"]),
        blocks: v.optional(v.array(v.object({ width: v.number() }))),
        at: v.optional(v.pipe(v.string(), v.transform(Number))),
      }),
      output: v.object({ ts: v.string(), size: v.optional(v.number(), 0) }),
      async run(args, context) {
        expectTypeOf(args.channel).toEqualTypeOf<string>();
        expectTypeOf(args.retries).toEqualTypeOf<number>();
        expectTypeOf(args.at).toEqualTypeOf<number | undefined>();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(context.idempotencyKey).toEqualTypeOf<string>();
        expectTypeOf(context.stepwell.runs.get).toBeFunction();
        return { ts: "1" };
      },
    },
    list: { input: v.object({}), output: v.array(v.string()), run: () => ["a"] },
  },
});

const mail = defineService({
  name: "mail",
  actions: {
    send: {
      input: v.object({ to: v.string() }),
      output: v.null(),
      maxAttempts: 1,
      timeoutMs: 5_000,
      run: () => null,
    },
  },
});

describe("defineService", () => {
  it("keeps the names of services and actions", () => {
    expectTypeOf(slack.name).toEqualTypeOf<"slack">();
    expectTypeOf<keyof typeof slack.actions>().toEqualTypeOf<"post" | "list">();
  });

  it("rejects a result that the output schema does not accept", () => {
    defineService({
      name: "s",
      actions: {
        // @ts-expect-error a number is no text
        a: { input: v.object({}), output: v.string(), run: () => 1 },
      },
    });
    defineService({
      name: "s",
      actions: {
        // @ts-expect-error the text is missing
        a: { input: v.object({}), output: v.object({ text: v.string() }), run: async () => ({}) },
      },
    });
  });

  it("rejects arguments that the input schema does not have", () => {
    defineService({
      name: "s",
      actions: {
        // @ts-expect-error there is no field of this name
        a: { input: v.object({ n: v.number() }), output: v.number(), run: ({ m }) => m },
      },
    });
  });

  it("rejects values that are not schemas, and actions without one", () => {
    // @ts-expect-error no schema
    defineService({ name: "s", actions: { a: { input: String, output: v.string(), run: () => "" } } });
    // @ts-expect-error no output
    defineService({ name: "s", actions: { a: { input: v.object({}), run: () => "" } } });
  });

  it("reports a missing schema at the action that lacks it, not at the others", () => {
    const input = v.object({ n: v.number() });
    const output = v.string();
    const run = () => "";
    defineService({
      name: "s",
      actions: {
        first: { input, output, run },
        // @ts-expect-error no output
        second: { title: "Second", input, run },
        third: { input, output, run: async ({ n }) => n.toFixed() },
      },
    });
    defineService({
      name: "s",
      actions: {
        first: { input, output, run },
        // @ts-expect-error no input
        second: { output, run },
        third: { input, output, run },
      },
    });
  });
});

const bank = defineService({
  name: "bank",
  connection: v.object({
    token: v.string(),
    sandbox: v.optional(v.boolean(), false),
    since: v.pipe(v.string(), v.transform(Number)),
  }),
  actions: {
    pay: {
      input: v.object({ amount: v.number() }),
      output: v.string(),
      run({ amount }, context) {
        expectTypeOf(amount).toEqualTypeOf<number>();
        expectTypeOf(context.connection).toEqualTypeOf<{ token: string; sandbox: boolean; since: number }>();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        expectTypeOf(context).toExtend<ActionContext>();
        return context.connection.token;
      },
    },
  },
});

describe("the types of connections", () => {
  it("follow their schema and exist only for services that declare one", () => {
    defineService({
      name: "s",
      connection: v.object({ token: v.string() }),
      actions: {
        // @ts-expect-error the connection has no field of this name
        a: { input: v.object({}), output: v.string(), run: (_, { connection }) => connection.user },
      },
    });
    defineService({
      name: "s",
      actions: {
        // @ts-expect-error the service asks for none
        a: { input: v.object({}), output: v.unknown(), run: (_, { connection }) => connection },
      },
    });
    defineService({
      name: "s",
      // @ts-expect-error no schema
      connection: String,
      actions: { a: { input: v.null(), output: v.null(), run: () => null } },
    });
  });

  it("require connection_id in steps of such services", () => {
    const stepwell = createStepwell({ services: [bank, mail] });
    const call = (service: ServiceCall<typeof bank | typeof mail>) =>
      stepwell.workflows.create("app", { name: "W", steps: [{ type: "service", key: "s", service }] });
    call({ service: "bank", action: "pay", input: { amount: 1 }, connection_id: "con_1" });
    call({ service: "bank", action: "pay", input: { amount: 1 }, connection_id: "{{ input.account }}" });
    call({ service: "mail", action: "send", input: { to: "a" } });
    // @ts-expect-error the connection is missing
    call({ service: "bank", action: "pay", input: { amount: 1 } });
    // @ts-expect-error no text
    call({ service: "bank", action: "pay", input: { amount: 1 }, connection_id: 7 });
    // @ts-expect-error the service needs none
    call({ service: "mail", action: "send", input: { to: "a" }, connection_id: "con_1" });
  });
});

describe("a service with optional connections", () => {
  it("can be called with and without connection_id", () => {
    const { workflows } = createStepwell({ services: [] });
    const call = { service: "http", action: "request", input: { url: "https://example.com" } } as const;
    const http = { type: "service", key: "s", service: call } as const;
    () => workflows.create("app", { name: "W", steps: [http] });
    () => workflows.create("app", { name: "W", steps: [{ ...http, service: { ...call, connection_id: "con_1" } }] });
  });
});

describe("the types of service steps", () => {
  const stepwell = createStepwell({ services: [slack, mail] });
  const take = (steps: NonNullable<Parameters<typeof stepwell.workflows.create>[1]["steps"]>) =>
    stepwell.workflows.create("app", { name: "W", steps });

  it("accept the input of the action", () => {
    take([
      { type: "input", key: "in", input: {} },
      {
        type: "service",
        key: "s",
        destinations: ["m"],
        service: { service: "slack", action: "post", input: { channel: "a", level: "info", retries: 3 } },
      },
      { type: "service", key: "m", service: { service: "mail", action: "send", input: { to: "a@example.com" } } },
      { type: "service", key: "l", service: { service: "slack", action: "list", input: {} } },
    ]);
  });

  it("accept an expression for any part of the input", () => {
    take([
      {
        type: "service",
        key: "s",
        service: {
          service: "slack",
          action: "post",
          input: {
            channel: "{{ input.channel }}",
            level: "{{ input.level }}",
            retries: "{{ input.retries }}",
            urgent: "{{ input.urgent }}",
            blocks: [{ width: "{{ input.width }}" }, "{{ input.block }}"],
          },
        },
      },
    ]);
    stepwell.workflows.putDraft("app", "w", {
      steps: [
        {
          type: "service",
          key: "s",
          service: {
            service: "slack",
            action: "post",
            input: { channel: "a", level: "info", blocks: "{{ input.blocks }}" },
          },
        },
      ],
    });
  });

  it("reject an unknown service or action", () => {
    // @ts-expect-error no such service
    take([{ type: "service", key: "s", service: { service: "slick", action: "post", input: {} } }]);
    // @ts-expect-error no such action
    take([{ type: "service", key: "s", service: { service: "slack", action: "pots", input: {} } }]);
    // @ts-expect-error an action of another service
    take([{ type: "service", key: "s", service: { service: "mail", action: "post", input: { to: "a" } } }]);
  });

  it("reject invalid input", () => {
    const call = (service: ServiceCall<typeof slack | typeof mail>) => take([{ type: "service", key: "s", service }]);
    // @ts-expect-error the channel is missing
    call({ service: "slack", action: "post", input: { level: "info" } });
    // @ts-expect-error a text that is no expression
    call({ service: "slack", action: "post", input: { channel: "a", level: "info", retries: "three" } });
    // @ts-expect-error none of the levels
    call({ service: "slack", action: "post", input: { channel: "a", level: "loud" } });
    // @ts-expect-error an unknown field
    call({ service: "mail", action: "send", input: { to: "a", cc: "b" } });
    // @ts-expect-error the service needs no connection
    call({ service: "mail", action: "send", input: { to: "a" }, connection_id: "con_1" });
  });

  it("apply to putDraft", () => {
    stepwell.workflows.putDraft("app", "w", {
      // @ts-expect-error no such action
      steps: [{ type: "service", key: "s", service: { service: "mail", action: "sent", input: { to: "a" } } }],
    });
  });

  it("leave other functions and step types unchanged", () => {
    const general: Stepwell = stepwell;
    expectTypeOf(general.close).toBeFunction();
    expectTypeOf(stepwell.workflows.get).toEqualTypeOf<Stepwell["workflows"]["get"]>();
    expectTypeOf<ReturnType<typeof stepwell.workflows.create>>().toEqualTypeOf<
      ReturnType<Stepwell["workflows"]["create"]>
    >();
    // @ts-expect-error no step type
    take([{ type: "servant", key: "s" }]);
    // @ts-expect-error the code is missing
    take([{ type: "code", key: "s" }]);
  });
});

describe("a definition unknown to the compiler", () => {
  const stepwell = createStepwell({ services: [slack, mail] });
  const steps: Step[] = [];

  it("is accepted after parseDefinition", () => {
    const definition = parseDefinition({ steps });
    stepwell.workflows.create("app", { name: "W", ...definition });
    stepwell.workflows.putDraft("app", "w", definition);
    createStepwell().workflows.putDraft("app", "w", { input: {}, ...definition });
    assertType<WorkflowCreate>({ name: "W", ...definition });
    expectTypeOf(definition.input).toEqualTypeOf<InputDefinition | undefined>();
    for (const step of definition.steps ?? []) expectTypeOf(step.key).toBeString();
  });

  it("is rejected without parseDefinition", () => {
    // @ts-expect-error steps of any service
    stepwell.workflows.create("app", { name: "W", steps });
    const json: unknown = {};
    // @ts-expect-error anything
    stepwell.workflows.putDraft("app", "w", json);
    stepwell.workflows.putDraft("app", "w", parseDefinition(json));
  });
});

it("a service defined inline needs no connection unless it declares one", async () => {
  const stepwell = createStepwell({
    services: [
      defineService({
        name: "here",
        actions: { ping: { input: v.object({}), output: v.null(), run: () => null } },
      }),
    ],
  });
  const steps = [{ type: "service", key: "ping", service: { service: "here", action: "ping", input: {} } }] as const;
  assertType(await stepwell.workflows.create("app_1", { name: "Ping", steps: [...steps] }));
});

describe("steps in a variable", () => {
  it("are accepted with `as const`", () => {
    const stepwell = createStepwell();
    const content = [{ type: "text", text: "What is due?" }] as const;
    const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
    const response_format = { type: "json_schema", schema } as const;
    const provider = {
      provider: "p",
      model: "m",
      messages: [{ role: "user", content }],
      tools: ["a.b"],
      response_format,
    } as const;
    const right = [{ type: "model", key: "m", provider }] as const;
    stepwell.workflows.create("app", { name: "W", steps: right });
    const wrong = [
      { type: "model", key: "m", provider: { ...provider, messages: [{ role: "boss", content }] } },
    ] as const;
    // @ts-expect-error nobody has this role
    stepwell.workflows.create("app", { name: "W", steps: wrong });
  });
});

describe("createStepwell without services", () => {
  type Steps<S extends Stepwell> = NonNullable<Parameters<S["workflows"]["create"]>[1]["steps"]>;

  it("accepts general steps", () => {
    const stepwell = createStepwell();
    expectTypeOf<Step[] | ParsedSteps>().toExtend<Steps<typeof stepwell>>();
    expectTypeOf<Steps<Stepwell>>().toEqualTypeOf<Steps<typeof stepwell>>();
    const none = createStepwell({ services: [], baseUrl: "https://example.com" });
    none.workflows.create("app", { name: "W", steps: [{ type: "note", key: "n", note: "" }] });
  });
});

describe("createStepwell with an empty list of services", () => {
  it("checks steps against the built-in services", () => {
    const { workflows } = createStepwell({ services: [] });
    const put = workflows.putDraft;
    const input = {
      collection_id: "c",
      record_id: "{{ input.record.id }}",
      data: { loan: { fee: "{{ 1 }}" } },
    } as const;
    const step = { type: "service", key: "s" } as const;
    const call = { service: "records", action: "update" } as const;
    put("app", "w", { steps: [{ ...step, service: { ...call, input } }] });
    // @ts-expect-error there is no such action
    put("app", "w", { steps: [{ ...step, service: { ...call, action: "change", input } }] });
    // @ts-expect-error there is no such service
    put("app", "w", { steps: [{ ...step, service: { service: "slack", action: "post", input: {} } }] });
    put("app", "w", {
      steps: [
        {
          ...step,
          service: {
            service: "records",
            action: "update",
            // @ts-expect-error the action has no such field, whatever its value
            input: { collection_id: "c", record_id: "r", tgas: "{{ input.tags }}" },
          },
        },
      ],
    });
  });
});

describe("an instance with services and triggers", () => {
  const anything = v.object({
    any: v.unknown(),
    coerced: v.pipe(v.unknown(), v.transform(Number)),
    list: v.array(v.any()),
    since: v.date(),
    big: v.optional(v.bigint()),
    of: v.record(v.string(), v.unknown()),
  });
  const service = defineService({
    name: "anything",
    connection: v.object({ token: v.unknown() }),
    actions: {
      take: { input: anything, output: v.unknown(), run: () => 1 },
      object: { input: v.looseObject({}), output: v.any(), run: () => 1 },
      whole: { input: v.unknown(), output: v.any(), run: () => 1 },
    },
  });
  const trigger = defineTrigger({ name: "anything", config: anything, receive: () => [] });

  it("is a Stepwell, whatever their schemas accept", () => {
    const untyped: Stepwell = createStepwell({ services: [service, slack], triggers: [trigger] });
    expectTypeOf(untyped.runs.get).toBeFunction();
  });

  it("accepts JSON where a schema accepts anything, and expressions for what JSON does not have", () => {
    const { workflows } = createStepwell({ services: [service] });
    const since = "{{ now }}" as const;
    const given = { any: [{ a: null }], coerced: "1", list: [1], since, of: { a: [1] } };
    const call = (input: ServiceCall<typeof service>["input"]) =>
      workflows.create("app", {
        name: "W",
        steps: [
          {
            type: "service",
            key: "s",
            service: { service: "anything", action: "whole", input, connection_id: "con_1" },
          },
        ],
      });
    call(given);
    const step = { service: "anything", action: "take", connection_id: "con_1" } as const;
    assertType<ServiceCall<typeof service>>({ ...step, input: given });
    // @ts-expect-error: no JSON
    assertType<ServiceCall<typeof service>>({ ...step, input: { ...given, any: () => 1 } });
    // @ts-expect-error: a date is not JSON
    assertType<ServiceCall<typeof service>>({ ...step, input: { ...given, since: new Date() } });
    // @ts-expect-error: a bigint is not JSON
    assertType<ServiceCall<typeof service>>({ ...step, input: { ...given, big: 1n } });
  });
});

describe("defineTrigger", () => {
  it("types the settings and the connection that receive gets", () => {
    const shipments = defineTrigger({
      name: "shipments",
      config: v.object({ depot: v.pipe(v.string(), v.transform(Number)) }),
      connection: v.object({ token: v.string() }),
      receive(request, context) {
        expectTypeOf(context.config).toEqualTypeOf<{ depot: number }>();
        expectTypeOf(context.connection).toEqualTypeOf<{ token: string }>();
        expectTypeOf(request.json()).toEqualTypeOf<JsonValue>();
        return [{ id: request.id, data: { depot: context.config.depot } }];
      },
    });
    expectTypeOf(shipments.name).toEqualTypeOf<"shipments">();
    createStepwell({ triggers: [shipments] });
    const loans = defineTrigger({
      name: "loans",
      config: v.object({}),
      connection: v.object({ token: v.string() }),
      connectionOptional: true,
      receive(request, { connection }) {
        expectTypeOf(connection).toEqualTypeOf<{ token: string } | undefined>();
        return [{ id: request.id, data: {} }];
      },
      poll({ connection }) {
        expectTypeOf(connection).toEqualTypeOf<{ token: string }>();
        return { events: [] };
      },
    });
    createStepwell({ triggers: [loans] });
    defineTrigger({
      name: "plain",
      config: v.object({}),
      // @ts-expect-error: the type has no connection
      receive: (request, { connection }) => [{ id: request.id, data: { connection } }],
    });
    // @ts-expect-error: an event needs an id
    defineTrigger({ name: "plain", config: v.object({}), receive: () => [{ data: {} }] });
    // @ts-expect-error: and data of JSON
    defineTrigger({ name: "plain", config: v.object({}), receive: () => [{ id: "a", data: { at: new Date() } }] });
    // @ts-expect-error: the settings need a schema
    defineTrigger({ name: "plain", config: String, receive: () => [] });
  });
});

describe("triggers of collections", () => {
  const shipments = defineTrigger({
    name: "shipments",
    config: v.object({ depot: v.pipe(v.string(), v.transform(Number)), late: v.optional(v.boolean(), false) }),
    receive: () => [],
  });
  const lender = defineTrigger({
    name: "lender",
    config: v.object({}),
    connection: v.object({ token: v.string() }),
    poll: () => ({ events: [] }),
  });
  const stepwell = createStepwell({ services: [slack], triggers: [shipments, lender] });

  it("have the settings of their type, and a connection if it needs one", () => {
    const mappings = [{ type: "key", entity_path: "e:id", input_path: ["id"], name: "Id" }];
    stepwell.collections.create("app", {
      name: "C",
      triggers: [
        { type: "shipments", name: "S", config: { type: "shipments", mappings, depot: "7" } },
        { type: "lender", name: "L", config: { type: "lender", interval: 60 }, connection_id: "con_1", enabled: false },
        { type: "poll", name: "P", config: { type: "poll", url: "https://items.test", id_path: ["id"] } },
        { type: "loan_origination", name: "O", config: { type: "loan_origination", pull_on_millestones: ["A"] } },
      ],
    });
    stepwell.triggers.create("app", "coll", { type: "webhook", name: "W", config: { type: "webhook" } });
    const changed = { id: "trig_1", type: "shipments", name: "S", config: { type: "shipments", depot: "7" } } as const;
    stepwell.collections.update("app", "coll", { triggers: [changed, { ...changed, id: "trig_2" }] });
  });

  it("are refused with wrong settings, types and connections", () => {
    // @ts-expect-error: depot is missing
    stepwell.triggers.create("app", "coll", { type: "shipments", name: "S", config: { type: "shipments" } });
    const late = { type: "shipments" as const, name: "S" };
    // @ts-expect-error: there is no such setting
    stepwell.triggers.create("app", "coll", { ...late, config: { type: "shipments", depot: "7", dept: "8" } });
    const depot = 7;
    // @ts-expect-error: the input of the schema is a string
    stepwell.triggers.create("app", "coll", { type: "shipments", name: "S", config: { type: "shipments", depot } });
    // @ts-expect-error: another type
    stepwell.triggers.create("app", "coll", { type: "shipments", name: "S", config: { type: "poll", depot: "7" } });
    // @ts-expect-error: there is no such type
    stepwell.triggers.create("app", "coll", { type: "shipment", name: "S", config: { type: "shipment", depot: "7" } });
    // @ts-expect-error: it needs a connection
    stepwell.triggers.create("app", "coll", { type: "lender", name: "L", config: { type: "lender" } });
    const connected = { type: "webhook", name: "W", config: { type: "webhook" }, connection_id: "con_1" } as const;
    // @ts-expect-error: it uses no connection
    stepwell.triggers.create("app", "coll", connected);
    const triggers = [{ type: "shipments" as const, name: "S", config: { type: "shipments" as const } }];
    // @ts-expect-error: depot is missing
    stepwell.collections.create("app", { name: "C", triggers });
  });

  it("can be of a type that is only known at run time", () => {
    const type: string = "shipments";
    stepwell.triggers.create("app", "coll", { type, name: "S", config: { type, anything: [1] } });
    stepwell.collections.create("app", { name: "C", triggers: [{ type, name: "S", config: { type } }] });
    stepwell.collections.create("app", { name: "C" });
    const config = { type: "shipments", depot: 7 };
    stepwell.triggers.create("app", "coll", { type: "shipments", name: "S", config });
    const untyped: Stepwell = stepwell;
    untyped.triggers.create("app", "coll", { type: "other", name: "O", config: { type: "other", any: 1 } });
    const unknown: readonly AnyTriggerType[] = [shipments];
    createStepwell({ triggers: unknown }).triggers.create("app", "coll", {
      type: "a",
      name: "A",
      config: { type: "a" },
    });
    createStepwell({}).triggers.create("app", "coll", { type: "a", name: "A", config: { type: "a", b: 1 } });
  });
});
