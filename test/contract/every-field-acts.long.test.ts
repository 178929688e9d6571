/** Every field and every enum value of a definition changes something that can be seen. */
import "ai"; // loaded before the clock of a test stands still
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/json.ts";
import { DraftPut } from "../../src/workflows/version.ts";
import { observe, type Scenario } from "../support/examples/observe.ts";
import { offeredBy } from "../support/examples/vocabulary-used.ts";

type Given = Readonly<Record<string, unknown>>;
/** A field or a value, a definition with it, and one without it. */
type Row = readonly [name: string, withIt: DraftPut, without: DraftPut, scenario?: Scenario | undefined];

const definition = (steps: readonly Given[], more: Given = {}) => ({ steps, ...more }) as unknown as DraftPut; // observed, refused or not
const hook = { method: "POST", path: "form", form: true };
const SEE = { type: "code", key: "see", code: "see input" };
const start = (more: Given = {}) => ({ type: "input", key: "in", input: {}, ...more });

/** A form, and a run that shows its input. */
const field = (fields: Given, more: Given = {}) => definition([start({ input: fields, webhook: hook }), SEE], more);
const one = (given: Given) => field({ a: given });
const rows = (
  prefix: string,
  base: Given,
  scenario: Scenario | undefined,
  values: Readonly<Record<string, JsonValue>>,
) =>
  Object.entries(values).map(([name, value]): Row => {
    const [path = ""] = name.split("=");
    return [`${prefix}${name}`, one(merged(base, path.split(".").slice(1), value)), one(base), scenario];
  });

function merged(base: Given, [key = "", ...rest]: readonly string[], value: JsonValue): Given {
  const inner = base[key];
  return { ...base, [key]: rest.length === 0 ? value : merged((inner ?? {}) as Given, rest, value) };
}

const text = { type: "string" };
const input = (given: Given): Scenario => ({ inputs: [given as never] });
const FILE = { type: "file" };

/** Fields of input definitions. */
const INPUT: readonly Row[] = [
  [".input", field({}, { input: { b: text } }), field({})],
  ...["file", "number", "boolean", "date", "datetime", "time", "content", "connection", "object"].flatMap(
    (type): Row[] => [
      [`.input(${type})`, one(type === "object" ? { type, fields: { b: text } } : { type }), one(text)],
      [`.input(${type}).type`, one(type === "object" ? { type, fields: { b: text } } : { type }), one(text)],
    ],
  ),
  [".input(string)", one(text), one({ type: "number" })],
  [".input(string).type", one(text), one({ type: "number" })],
  [".input(select)", one({ type: "select", options: [{ value: "x" }] }), one(text)],
  [".input(select).type", one({ type: "select", options: [{ value: "x" }] }), one(text)],
  ...rows(".input(file)", FILE, undefined, {
    ".name": "Scan",
    ".desc": "Both sides",
    ".optional": true,
    ".link": "https://help.example/scan",
    ".display": { field: "inline" },
    ".display.field": "inline",
    ".display.field=inline": "inline",
    ".display.container": "grid",
    ".display.container=grid": "grid",
    ".display.container=center": "center",
    ".allowed_types": ["text/csv"],
  }),
  [
    ".input(file).display.field=stacked",
    field({ a: { ...FILE, display: { field: "stacked" } } }, { input_options: { display: { field: "inline" } } }),
    field({ a: FILE }, { input_options: { display: { field: "inline" } } }),
  ],
  [
    ".input(file).display.container=full",
    field({ a: { ...text, display: { container: "full" } } }, { input_options: { display: { container: "grid" } } }),
    field({ a: text }, { input_options: { display: { container: "grid" } } }),
  ],
  [
    ".input(file).display.hidden",
    one({ ...text, default: "x", display: { hidden: true } }),
    one({ ...text, default: "x" }),
  ],
  ...(["", "=multiline"] as const).map(
    (value): Row => [
      `.input(file).display.control${value}`,
      one({ ...text, display: { control: "multiline" } }),
      one(text),
    ],
  ),
  [
    ".input(file).display.control=radio",
    one({ ...text, list: ["1", "2", "3", "4", "5", "6"], display: { control: "radio" } }),
    one({ ...text, list: ["1", "2", "3", "4", "5", "6"] }),
  ],
  [
    ".input(file).display.control=dropdown",
    one({ ...text, list: ["1", "2"], display: { control: "dropdown" } }),
    one({ ...text, list: ["1", "2"] }),
  ],
  [".input(file).array", one({ ...text, array: true }), one(text), input({ a: ["x"] })],
  [".input(file).placeholder", one({ ...text, placeholder: "Ann" }), one(text)],
  [
    ".input(file).order",
    field({ a: { ...text, order: 2 }, b: { ...text, order: 1 } }),
    field({ a: { ...text, order: 1 }, b: { ...text, order: 2 } }),
  ],
  [
    ".input(file).config",
    field({ a: { ...text, config: true } }, { input_default: { a: "set" } }),
    field({ a: text }, { input_default: { a: "set" } }),
    input({ a: "given" }),
  ],
  [
    ".input(file).metadata",
    definition([start(), { ...start({ input: { a: { ...text, metadata: { unit: "kg" } } } }), key: "ask" }]),
    definition([start(), { ...start({ input: { a: text } }), key: "ask" }]),
  ],
  [".input(file).max_size", one({ ...FILE, max_size: 1 }), one(FILE), input({ a: ["@file"] })],
  [".input(file).extract_contents", one({ ...FILE, extract_contents: true }), one(FILE), input({ a: ["@file"] })],
  [".input(file).extract_images", one({ ...FILE, extract_images: true }), one(FILE), input({ a: ["@file"] })],
  ...(["", "=PUBLIC"] as const).map(
    (value): Row => [
      `.input(file).visibility${value}`,
      uploads({ visibility: "PUBLIC" }),
      uploads({}),
      { upload: "a.csv" },
    ],
  ),
  [
    ".input(file).visibility=PRIVATE",
    uploads({ visibility: "PRIVATE" }),
    uploads({ visibility: "PUBLIC" }),
    { upload: "a.csv" },
  ],
  ...rows(".input(number)", { type: "number" }, undefined, {
    ".default": 7,
    ".list": [1],
    ".list(1)": [1],
    ".list(2)": [{ value: 1, label: "One" }],
    ".list(2).label": [{ value: 1, label: "One" }],
    ".list(2).value": [{ value: 1, label: "One" }],
    ".list(2).value(1)": [{ value: 1, label: "One" }],
  }).map(([name, , without, scenario]): Row => [name, one({ type: "number", ...numberWith(name) }), without, scenario]),
  [".input(number).list(0)", one({ ...text, list: ["x"] }), one(text)],
  [
    ".input(number).list(2).value(0)",
    one({ ...text, list: [{ value: "x", label: "X" }] }),
    one({ ...text, list: [{ value: "y", label: "X" }] }),
  ],
  [".input(string).default", one({ ...text, default: "x" }), one(text)],
  [".input(string).validation", one({ ...text, validation: "url" }), one(text), input({ a: "no URL" })],
  [".input(string).validation=url", one({ ...text, validation: "url" }), one(text), input({ a: "no URL" })],
  [".input(string).list", one({ ...text, list: ["x"] }), one(text), input({ a: "y" })],
  [".input(boolean).default", one({ type: "boolean", default: true }), one({ type: "boolean" })],
  ...["", "=value"].map(
    (value): Row => [
      `.input(boolean).allowed_modes${value}`,
      child({ type: "boolean", allowed_modes: ["value"] }, "{{ input.b }}"),
      child({ type: "boolean" }, "{{ input.b }}"),
    ],
  ),
  [
    ".input(boolean).allowed_modes=expression",
    child({ type: "boolean", allowed_modes: ["expression"] }, true),
    child({ type: "boolean" }, true),
  ],
  [
    ".input(select).allowed_modes",
    child({ type: "select", options: [{ value: "x" }], allowed_modes: ["value"] }, "{{ input.b }}"),
    child({ type: "select", options: [{ value: "x" }] }, "{{ input.b }}"),
  ],
  ...(
    [
      ["options", { options: [{ value: "x" }, { value: "y" }] }],
      ["options.value", { options: [{ value: "z" }] }],
      ["options.label", { options: [{ value: "x", label: "Ex" }] }],
      ["options.desc", { options: [{ value: "x", desc: "The first" }] }],
      ["default", { default: "x" }],
      ["list", { list: ["w"] }],
      ["additional_options", { additional_options: true }],
    ] as const
  ).map(
    ([name, more]): Row => [
      `.input(select).${name}`,
      one({ type: "select", options: [{ value: "x" }], ...more }),
      one({ type: "select", options: [{ value: "x" }] }),
      input({ a: "q" }),
    ],
  ),
  [".input(content).content", one({ type: "content", content: "Read **this**" }), one({ type: "content" })],
  [
    ".input(connection).allowed_types",
    one({ type: "connection", allowed_types: ["bank"] }),
    one({ type: "connection" }),
    input({ a: "@connection" }),
  ],
  [".input(object).fields", one({ type: "object", fields: { b: text } }), one({ type: "object", fields: { c: text } })],
  ...["", "(0)"].map(
    (form): Row => [
      `.input(object).additional_fields${form}`,
      one({ type: "object", fields: {}, additional_fields: true }),
      one({ type: "object", fields: {} }),
      input({ a: { z: 1 } }),
    ],
  ),
  [
    ".input(object).additional_fields(1)",
    one({ type: "object", fields: {}, additional_fields: ["z"] }),
    one({ type: "object", fields: {} }),
    input({ a: { z: 1 } }),
  ],
  [".input_default", field({ a: text }, { input_default: { a: "x" } }), one(text)],
  [".input_options", field({ a: text }, { input_options: { display: { field: "inline" } } }), one(text)],
  [".input_options.display", field({ a: text }, { input_options: { display: { field: "inline" } } }), one(text)],
];

function numberWith(name: string): Given {
  if (name.endsWith(".default")) return { default: 7 };
  if (name.includes("(2)")) return { list: [{ value: 1, label: "One" }] };
  return { list: [1] };
}

function uploads(more: Given): DraftPut {
  return definition([
    start({ input: { file: { ...FILE, ...more } }, webhook: { method: "POST", path: "files" } }),
    SEE,
  ]);
}

/** A step that calls the workflow itself, whose fields say what its input may be. */
function child(given: Given, value: JsonValue): DraftPut {
  return definition([
    start({ input: { a: given } }),
    {
      type: "workflow",
      key: "call",
      workflow_id: "@self",
      workflow_version_id: "1",
      input: { a: value },
      conditional: "false",
    },
  ]);
}

/** A step between the start and a step that shows what it reads of it. */
const WITH = { type: "code", key: "x", code: "give 1" };
const step = (more: Given, base: Given = WITH, rest: Given = {}) =>
  definition([start(), { ...base, ...more }, { type: "code", key: "after", code: "see steps" }], rest);
const FAILS = { type: "code", key: "x", code: "fail broken" };
const graph = (...steps: readonly Given[]) => definition([start({ destinations: ["x"] }), ...steps]);
const END = { type: "code", key: "end", code: 'give "end"' };

const model = (provider: Given, more: Given = {}) => ({
  type: "model",
  key: "x",
  provider: { provider: "fake", model: "m", messages: "Hello", ...provider },
  ...more,
});
const said = (...answers: NonNullable<Scenario["model"]>): Scenario => ({ model: answers, times: ["1s", "10s"] });
const asks = (name: string, withIt: Given, without: Given = {}, scenario: Scenario = said("Hi", "Hi")): Row => [
  `.steps(model).provider.${name}`,
  step({}, model(withIt)),
  step({}, model(without)),
  scenario,
];
const content = (part: Given) => ({ messages: [{ role: "user", content: [part] }] });
const tool = (given: unknown) => ({ tools: [given] });
const CHARGE = { type: "service", service: "bank", action: "charge" };
const calls = said({ calls: [{ name: "bank_charge", input: { amount: 1 } }] }, "Done", "Done");

const request = (more: Given) => ({ type: "http_request", key: "x", url: "https://api.example/", ...more });
const browse = (more: Given) => ({ type: "browser", key: "x", url: "https://api.example/", ...more });
const run = (more: Given) => ({ type: "workflow", key: "x", workflow_id: "@child", input: {}, ...more });
const act = (more: Given) => ({
  type: "service",
  key: "x",
  service: { service: "bank", action: "charge", input: { amount: 1 }, ...more },
});
/** For steps that are tried again after a second, and for those that wait longer. */
const retried = { times: ["2s"] };

/** Fields of steps. The labels name the first type that has the field. */
const STEPS: readonly Row[] = [
  [".steps", definition([start(), SEE]), definition([start()])],
  ...(
    [
      ["note", { type: "note", key: "x", note: "" }],
      ["code", WITH],
      ["branch", { type: "branch", key: "x", conditions: {} }],
      ["model", model({})],
      ["http_request", request({})],
      ["browser", browse({})],
      ["workflow", run({})],
      ["service", act({})],
      ["input", { ...start(), key: "x" }],
    ] as const
  ).flatMap(([type, given]): Row[] => {
    const other = type === "code" ? { type: "note", key: "x", note: "" } : WITH;
    return [`.steps(${type})`, `.steps(${type}).type`].map(
      (name): Row => [name, step({}, given), step({}, other), said("Hi")],
    );
  }),
  [".steps(note).key", step({ key: "y" }), step({})],
  [
    ".steps(note).note",
    step({}, { type: "note", key: "x", note: "Why", display: "expanded" }),
    step({}, { type: "note", key: "x", note: "What", display: "expanded" }),
  ],
  [".steps(note).display", step({ display: "minimal" }), step({})],
  [".steps(note).display=minimal", step({ display: "minimal" }), step({})],
  [".steps(note).display=expanded", step({ display: "expanded" }, request({})), step({}, request({}))],
  [
    ".steps(note).display=collapsed",
    step({ display: "collapsed" }, request({})),
    step({ display: "expanded" }, request({})),
  ],
  [
    ".steps(note).position",
    definition([start({ position: [0, 0] }), { ...SEE, position: [500, 10] }]),
    definition([start({ position: [0, 0] }), SEE]),
  ],
  [
    ".steps(note).size",
    definition([start({ position: [0, 0] }), { ...SEE, position: [500, 10], size: [400, 100] }]),
    definition([start({ position: [0, 0] }), { ...SEE, position: [500, 10] }]),
  ],
  [".steps(note).conditional", step({ conditional: "false" }), step({})],
  [".steps(note).loop", step({ loop: "iteration > 1" }), step({})],
  [".steps(note).throw_on_error", step({ throw_on_error: false }, FAILS), step({}, FAILS)],
  [
    ".steps(note).input_connected",
    definition([
      start({ destinations: ["x"] }),
      WITH,
      { ...start(), key: "second", destinations: ["end"] },
      { ...END, input_connected: true },
    ]),
    definition([start({ destinations: ["x"] }), WITH, { ...start(), key: "second", destinations: ["end"] }, END]),
  ],
  [".steps(note).destinations", graph({ ...WITH, destinations: ["end"] }, END), graph(WITH, END)],
  [
    ".steps(note).auto",
    step({ auto: { provider: "fake", model: "m" } }, act({ input: { amount: '{{ auto("how much") }}' } })),
    step({}, act({ input: { amount: '{{ auto("how much") }}' } })),
    said('{"field_1":3}'),
  ],
  [".steps(note).auto.provider", auto({ provider: "other", model: "m" }), auto({ model: "m" }), said('{"field_1":3}')],
  [
    ".steps(note).auto.model",
    auto({ provider: "fake", model: "m" }),
    auto({ provider: "fake" }),
    said('{"field_1":3}'),
  ],
  [
    ".steps(note).auto.temperature",
    auto({ provider: "fake", model: "m", temperature: 0.5 }),
    auto({ provider: "fake", model: "m" }),
    said('{"field_1":3}'),
  ],

  [
    ".steps(input).timeout",
    step({ timeout: 60 }, { ...start(), key: "x" }),
    step({}, { ...start(), key: "x" }),
    { times: ["61s"] },
  ],
  [".steps(input).on_error", graph({ ...FAILS, on_error: [{ destinations: ["end"] }] }, END), graph(FAILS, END)],
  [
    ".steps(input).on_error.condition",
    graph({ ...FAILS, on_error: [{ condition: "false", destinations: ["end"] }] }, END),
    graph({ ...FAILS, on_error: [{ destinations: ["end"] }] }, END),
  ],
  [
    ".steps(input).on_error.destinations",
    graph({ ...FAILS, on_error: [{ destinations: ["end"] }] }, END, { ...WITH, key: "y" }),
    graph({ ...FAILS, on_error: [{ destinations: ["y"] }] }, END, { ...WITH, key: "y" }),
  ],
  [
    ".steps(input).input",
    definition([start({ input: { a: text } }), SEE]),
    definition([start(), SEE]),
    input({ a: 7 }),
  ],
  [
    ".steps(input).webhook",
    hooked({ method: "POST", path: "form" }),
    definition([start(), SEE]),
    { hook: { method: "POST", path: "form" } },
  ],
  ...["GET", "PUT", "PATCH", "DELETE"].map(
    (method): Row => [
      `.steps(input).webhook.method=${method}`,
      hooked({ method, path: "form" }),
      hooked({ method: "POST", path: "form" }),
      { hook: { method, path: "form" } },
    ],
  ),
  [
    ".steps(input).webhook.method=POST",
    hooked({ method: "POST", path: "form" }),
    hooked({ method: "PUT", path: "form" }),
    { hook: { method: "POST", path: "form" } },
  ],
  [
    ".steps(input).webhook.method",
    hooked({ method: "POST", path: "form" }),
    hooked({ method: "PUT", path: "form" }),
    { hook: { method: "POST", path: "form" } },
  ],
  [
    ".steps(input).webhook.path",
    hooked({ method: "POST", path: "form" }),
    hooked({ method: "POST" }),
    { hook: { method: "POST", path: "form" } },
  ],
  [
    ".steps(input).webhook.respond",
    hooked({ method: "POST", path: "form", respond: "output" }),
    hooked({ method: "POST", path: "form" }),
    { hook: { method: "POST", path: "form" } },
  ],
  [
    ".steps(input).webhook.respond=output",
    hooked({ method: "POST", path: "form", respond: "output" }),
    hooked({ method: "POST", path: "form" }),
    { hook: { method: "POST", path: "form" } },
  ],
  [
    ".steps(input).webhook.respond=run",
    hooked({ method: "POST", path: "form", respond: "run" }),
    hooked({ method: "POST", path: "form", respond: "output" }),
    { hook: { method: "POST", path: "form" } },
  ],
  [".steps(input).webhook.form", hooked(hook), hooked({ ...hook, form: false })],

  [".steps(branch).conditions", branching({ a: { destinations: ["end"], order: 1 } }), branching({})],
  [
    ".steps(branch).conditions.condition",
    branching({ a: { condition: "false", destinations: ["end"], order: 1 } }),
    branching({ a: { destinations: ["end"], order: 1 } }),
  ],
  [
    ".steps(branch).conditions.destinations",
    branching({ a: { destinations: ["end"], order: 1 } }),
    branching({ a: { destinations: ["y"], order: 1 } }),
  ],
  [
    ".steps(branch).conditions.order",
    branching({ a: { destinations: ["end"], order: 2 }, b: { destinations: ["y"], order: 1 } }),
    branching({ a: { destinations: ["end"], order: 1 }, b: { destinations: ["y"], order: 2 } }),
  ],
  [
    ".steps(branch).else",
    branching({ a: { condition: "false", destinations: ["y"], order: 1 } }, ["end"]),
    branching({ a: { condition: "false", destinations: ["y"], order: 1 } }),
  ],

  [".steps(code).code", step({ code: "give 2" }), step({})],
  [".steps(code).output", step({ output: { type: "string" } }), step({})],
  [".steps(code).retry", step({ retry: { max_attempts: 3 } }, FAILS), step({}, FAILS), retried],
  [
    ".steps(code).retry.max_attempts",
    step({ retry: { max_attempts: 3 } }, FAILS),
    step({ retry: { max_attempts: 2 } }, FAILS),
    { times: ["2s", "3s"] },
  ],
  [
    ".steps(code).retry.initial_interval",
    step({ retry: { max_attempts: 3, initial_interval: 20 } }, FAILS),
    step({ retry: { max_attempts: 3 } }, FAILS),
    retried,
  ],
  [
    ".steps(code).retry.backoff",
    step({ retry: { max_attempts: 4, initial_interval: 4, backoff: 10 } }, FAILS),
    step({ retry: { max_attempts: 4, initial_interval: 4 } }, FAILS),
    { times: ["5s", "9s"] },
  ],
  [
    ".steps(code).retry.max_interval",
    step({ retry: { max_attempts: 4, initial_interval: 30, max_interval: 30 } }, FAILS),
    step({ retry: { max_attempts: 4, initial_interval: 30 } }, FAILS),
    { times: ["34s", "34s"] },
  ],
  [
    ".steps(code).retry.on",
    step({ retry: { max_attempts: 2, on: "transient" } }, FAILS),
    step({ retry: { max_attempts: 2 } }, FAILS),
    retried,
  ],
  [
    ".steps(code).retry.on(0)",
    step({ retry: { max_attempts: 2, on: "transient" } }, FAILS),
    step({ retry: { max_attempts: 2 } }, FAILS),
    retried,
  ],
  [
    ".steps(code).retry.on(0)=transient",
    step({ retry: { max_attempts: 2, on: "transient" } }, FAILS),
    step({ retry: { max_attempts: 2 } }, FAILS),
    retried,
  ],
  [
    ".steps(code).retry.on(0)=any",
    step({ retry: { max_attempts: 2, on: "any" } }, request({ url: "https://nowhere.example/" })),
    step({ retry: { max_attempts: 2, on: ["code_failed"] } }, request({ url: "https://nowhere.example/" })),
    retried,
  ],
  [
    ".steps(code).retry.on(1)",
    step({ retry: { max_attempts: 2, on: ["other"] } }, FAILS),
    step({ retry: { max_attempts: 2 } }, FAILS),
    retried,
  ],
  [".steps(code).for_each", step({ for_each: { items: "[1, 2]" } }), step({})],
  [".steps(code).for_each.items", step({ for_each: { items: "[1, 2]" } }), step({ for_each: { items: "[1]" } })],
  [".steps(code).for_each.concurrency", asked({ concurrency: 2 }), asked({}), { times: ["1s"] }],
  [
    ".steps(code).for_each.on_error",
    step({ for_each: { items: "[1]", on_error: "continue" } }, FAILS),
    step({ for_each: { items: "[1]" } }, FAILS),
  ],
  [
    ".steps(code).for_each.on_error=continue",
    step({ for_each: { items: "[1]", on_error: "continue" } }, FAILS),
    step({ for_each: { items: "[1]" } }, FAILS),
  ],
  [
    ".steps(code).for_each.on_error=fail",
    step({ for_each: { items: "[1]", on_error: "fail" } }, FAILS),
    step({ for_each: { items: "[1]", on_error: "continue" } }, FAILS),
  ],
  [
    ".steps(code).loop_delay",
    step({ loop: "iteration > 1", loop_delay: 60 }),
    step({ loop: "iteration > 1" }),
    { times: ["30s"] },
  ],

  asks("provider", { provider: "other" }, { provider: "none" }),
  [".steps(model).provider", step({}, model({ model: "m2" })), step({}, model({})), said("Hi")],
  asks("model", { model: "m2" }),
  asks("messages", { messages: "Bye" }),
  asks("messages(0)", { messages: "Bye" }),
  asks("messages(1)", { messages: [{ role: "user", content: "Bye" }] }),
  ...["system", "assistant"].map((role) =>
    asks(
      `messages(1).role=${role}`,
      {
        messages: [
          { role, content: "a" },
          { role: "user", content: "b" },
        ],
      },
      {
        messages: [
          { role: "user", content: "a" },
          { role: "user", content: "b" },
        ],
      },
    ),
  ),
  asks(
    "messages(1).role=tool",
    { messages: [{ role: "tool", content: "b" }] },
    { messages: [{ role: "assistant", content: "b" }] },
  ),
  asks(
    "messages(1).role=user",
    { messages: [{ role: "user", content: "b" }] },
    { messages: [{ role: "assistant", content: "b" }] },
  ),
  asks(
    "messages(1).role",
    {
      messages: [
        { role: "system", content: "a" },
        { role: "user", content: "b" },
      ],
    },
    {
      messages: [
        { role: "user", content: "a" },
        { role: "user", content: "b" },
      ],
    },
  ),
  asks(
    "messages(1).content",
    { messages: [{ role: "user", content: "Bye" }] },
    { messages: [{ role: "user", content: "a" }] },
  ),
  asks(
    "messages(1).content(0)",
    { messages: [{ role: "user", content: "Bye" }] },
    { messages: [{ role: "user", content: "a" }] },
  ),
  ...["content(1)", "content(1)(text)", "content(1)(text).type", "content(1)(text).text"].map((name) =>
    asks(`messages(1).${name}`, content({ type: "text", text: "a" }), content({ type: "text", text: "b" })),
  ),
  ...["content(1)(file)", "content(1)(file).type"].map((name) =>
    asks(`messages(1).${name}`, content({ type: "file", file_id: "@file" }), content({ type: "text", text: "a" })),
  ),
  ...["content(1)(image)", "content(1)(image).type", "content(1)(image).url"].map((name) =>
    asks(
      `messages(1).${name}`,
      content({ type: "image", url: "https://api.example/a.png" }),
      content({ type: "text", text: "a" }),
    ),
  ),
  asks(
    "messages(1).content(1)(image).file_id",
    content({ type: "image", file_id: "@file" }),
    content({ type: "image", file_id: "afile_none" }),
  ),
  asks("temperature", { temperature: 0.5 }),
  asks("max_tokens", { max_tokens: 50 }),
  ...["response_format", "response_format.type", "response_format.type=json_object"].map((name) =>
    asks(name, { response_format: { type: "json_object" } }, {}, said('{"a":1}')),
  ),
  asks(
    "response_format.type=text",
    { response_format: { type: "text" } },
    { response_format: { type: "json_object" } },
    said('{"a":1}'),
  ),
  ...["response_format.type=json_schema", "response_format.schema"].map((name) =>
    asks(
      name,
      {
        response_format: {
          type: "json_schema",
          schema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
        },
      },
      { response_format: { type: "json_object" } },
      said('{"a":1}'),
    ),
  ),
  ...["tools", "tools(0)"].map((name) => asks(name, tool("bank.charge"), {}, calls)),
  ...["tools(1)", "tools(1)(service)", "tools(1)(service).type", "tools(1)(service).service"].map((name) =>
    asks(name, tool(CHARGE), {}, calls),
  ),
  asks("tools(1)(service).action", tool(CHARGE), tool({ ...CHARGE, action: "refund" }), calls),
  asks("tools(1)(service).name", tool({ ...CHARGE, name: "pay" }), tool(CHARGE), calls),
  asks("tools(1)(service).description", tool({ ...CHARGE, description: "Takes money" }), tool(CHARGE), calls),
  asks("tools(1)(service).input", tool({ ...CHARGE, input: { note: "fixed" } }), tool(CHARGE), calls),
  asks(
    "tools(1)(service).connection_id",
    tool({ type: "service", service: "chat", action: "post", connection_id: "@connection" }),
    tool({ type: "service", service: "chat", action: "post", connection_id: "@other" }),
    said({ calls: [{ name: "chat_post", input: { text: "a" } }] }, "Done"),
  ),
  ...["tools(1)(workflow)", "tools(1)(workflow).type", "tools(1)(workflow).workflow_id"].map((name) =>
    asks(name, tool({ type: "workflow", workflow_id: "@child" }), {}),
  ),
  asks(
    "tools(1)(workflow).name",
    tool({ type: "workflow", workflow_id: "@child", name: "ask" }),
    tool({ type: "workflow", workflow_id: "@child" }),
  ),
  asks(
    "tools(1)(workflow).description",
    tool({ type: "workflow", workflow_id: "@child", description: "Asks" }),
    tool({ type: "workflow", workflow_id: "@child" }),
  ),
  asks(
    "tools_parallel",
    { ...tool("bank.charge"), tools_parallel: false },
    tool("bank.charge"),
    said(
      {
        calls: [
          { name: "bank_charge", input: { amount: 1 } },
          { name: "bank_charge", input: { amount: 2 } },
        ],
      },
      "Done",
    ),
  ),
  ...["tools_mode", "tools_mode=required"].map((name) =>
    asks(name, { ...tool("bank.charge"), tools_mode: "required" }, tool("bank.charge")),
  ),
  asks("tools_mode=none", { ...tool("bank.charge"), tools_mode: "none" }, tool("bank.charge")),
  asks(
    "tools_mode=auto",
    { ...tool("bank.charge"), tools_mode: "auto" },
    { ...tool("bank.charge"), tools_mode: "required" },
  ),
  asks("max_iterations", { ...tool("bank.charge"), max_iterations: 1 }, tool("bank.charge"), calls),
  ...["features", "features.stream"].map((name) => asks(name, { features: { stream: true } })),
  ...["features.reasoning", "features.reasoning=high"].map((name) => asks(name, { features: { reasoning: "high" } })),
  asks("features.reasoning=low", { features: { reasoning: "low" } }, { features: { reasoning: "high" } }),
  asks("features.reasoning=medium", { features: { reasoning: "medium" } }, { features: { reasoning: "high" } }),
  asks("features.cache", { features: { cache: true } }),

  [
    ".steps(http_request).url",
    step({}, request({ url: "https://api.example/broken", retry: { max_attempts: 1 } })),
    step({}, request({})),
    retried,
  ],
  ...["POST", "PUT", "PATCH", "DELETE"].map(
    (method): Row => [`.steps(http_request).method=${method}`, step({}, request({ method })), step({}, request({}))],
  ),
  [".steps(http_request).method=GET", step({}, request({ method: "GET" })), step({}, request({ method: "POST" }))],
  [".steps(http_request).method", step({}, request({ method: "PUT" })), step({}, request({}))],
  ...["", "(0)"].map(
    (form): Row => [
      `.steps(http_request).headers${form}`,
      step({}, request({ headers: "x-a: 1" })),
      step({}, request({})),
    ],
  ),
  [".steps(http_request).headers(1)", step({}, request({ headers: { "x-a": "1" } })), step({}, request({}))],
  [
    ".steps(http_request).body",
    step({}, request({ method: "POST", body: "a" })),
    step({}, request({ method: "POST" })),
  ],
  [".steps(browser).url", step({}, browse({ url: "https://other.example/" })), step({}, browse({}))],
  [".steps(browser).strip_html", step({}, browse({ strip_html: true })), step({}, browse({}))],
  [".steps(browser).wait_for_selector", step({}, browse({ wait_for_selector: "#ready" })), step({}, browse({}))],
  [".steps(workflow).workflow_id", step({}, run({})), step({}, run({ workflow_id: "work_none" }))],
  ...["", "(1)"].map(
    (form): Row => [`.steps(workflow).input${form}`, step({}, run({ input: { a: 1 } })), step({}, run({}))],
  ),
  [".steps(workflow).input(0)", step({}, run({ input: "{{ { 'a': 1 } }}" })), step({}, run({}))],
  [".steps(workflow).step_key", step({}, run({ step_key: "second" })), step({}, run({}))],
  ...["", "(0)"].map(
    (form): Row => [
      `.steps(workflow).workflow_version_id${form}`,
      step({}, run({ workflow_version_id: "draft" })),
      step({}, run({})),
    ],
  ),
  [
    ".steps(workflow).workflow_version_id(1)",
    step({}, run({ workflow_version_id: 1 })),
    step({}, run({ workflow_version_id: "draft" })),
  ],
  ...["service", "service.service"].map(
    (name): Row => [
      `.steps(service).${name}`,
      step({}, act({})),
      step({}, act({ service: "chat", action: "post", input: { text: "a" }, connection_id: "@connection" })),
    ],
  ),
  [".steps(service).service.action", step({}, act({})), step({}, act({ action: "refund", input: {} }))],
  [".steps(service).service.input", step({}, act({ input: { amount: 2 } })), step({}, act({}))],
  [
    ".steps(service).service.connection_id",
    step({}, act({ service: "chat", action: "post", input: { text: "a" }, connection_id: "@other" })),
    step({}, act({ service: "chat", action: "post", input: { text: "a" }, connection_id: "@connection" })),
  ],
];

function auto(given: Given): DraftPut {
  return step({ auto: given }, act({ input: { amount: '{{ auto("how much") }}' } }));
}
function hooked(webhook: Given): DraftPut {
  return definition([start({ webhook }), SEE]);
}
function branching(conditions: Given, otherwise?: readonly string[]): DraftPut {
  return graph({ type: "branch", key: "x", conditions, ...(otherwise === undefined ? {} : { else: otherwise }) }, END, {
    ...WITH,
    key: "y",
  });
}
/** Child runs for the items, which wait. */
function asked(more: Given): DraftPut {
  return step({ for_each: { items: "[1, 2]", ...more } }, run({ workflow_id: "@asks" }));
}

const settings = (given: Given, steps: readonly Given[] = [start(), { ...start(), key: "ask" }]) =>
  definition(steps, { settings: given });
const twice = { inputs: [{ k: 1 }, { k: 2 }], times: ["1s"] } as const;
const strategy = (name: string): Row => [
  `.settings.concurrency.strategy=${name}`,
  settings({ concurrency: { limit: 1, strategy: name } }),
  settings({ concurrency: { limit: 1, strategy: name === "reject" ? "skip" : "reject" } }),
  twice,
];
const onPaid = { start_on: [{ name: "order.paid" }] };

const SETTINGS: readonly Row[] = [
  [".settings", settings({ timeout: 60 }), settings({}), { times: ["61s"] }],
  [".settings.timeout", settings({ timeout: 60 }), settings({}), { times: ["61s"] }],
  [
    ".settings.on_failure",
    settings({ on_failure: { workflow_id: "@child" } }, [start(), FAILS]),
    settings({}, [start(), FAILS]),
    { times: ["1s"] },
  ],
  [
    ".settings.on_failure.workflow_id",
    settings({ on_failure: { workflow_id: "@child" } }, [start(), FAILS]),
    settings({ on_failure: { workflow_id: "work_none" } }, [start(), FAILS]),
    { times: ["1s"] },
  ],
  [
    ".settings.on_failure.input",
    settings({ on_failure: { workflow_id: "@child", input: { a: 1 } } }, [start(), FAILS]),
    settings({ on_failure: { workflow_id: "@child" } }, [start(), FAILS]),
    { times: ["1s"] },
  ],
  [".settings.start_on", settings(onPaid), settings({}), { event: {}, times: ["1s"] }],
  [
    ".settings.start_on.name",
    settings(onPaid),
    settings({ start_on: [{ name: "order.sent" }] }),
    { event: {}, times: ["1s"] },
  ],
  [
    ".settings.start_on.condition",
    settings({ start_on: [{ name: "order.paid", condition: "event.payload.n > 1" }] }),
    settings(onPaid),
    { event: { n: 1 }, times: ["1s"] },
  ],
  [".settings.concurrency", settings({ concurrency: { limit: 1 } }), settings({}), twice],
  [
    ".settings.concurrency.limit",
    settings({ concurrency: { limit: 1 } }),
    settings({ concurrency: { limit: 2 } }),
    twice,
  ],
  [
    ".settings.concurrency.key",
    settings({ concurrency: { limit: 1, key: "input.k" } }),
    settings({ concurrency: { limit: 1 } }),
    twice,
  ],
  [
    ".settings.concurrency.strategy",
    settings({ concurrency: { limit: 1, strategy: "reject" } }),
    settings({ concurrency: { limit: 1 } }),
    twice,
  ],
  ...["queue", "reject", "skip", "cancel_oldest"].map(strategy),
  [".settings.debounce", settings({ debounce: { period: 60 } }), settings({}), twice],
  [
    ".settings.debounce.period",
    settings({ debounce: { period: 60 } }),
    settings({ debounce: { period: 5 } }),
    { ...twice, times: ["10s"] },
  ],
  [
    ".settings.debounce.max_wait",
    settings({ debounce: { period: 60, max_wait: 5 } }),
    settings({ debounce: { period: 60 } }),
    { ...twice, times: ["10s"] },
  ],
  [".settings.rate_limit", settings({ rate_limit: { limit: 1, period: 60 } }), settings({}), twice],
  [".settings.priority", settings({ priority: 5 }), settings({})],
  [".settings.priority(0)", settings({ priority: 5 }), settings({})],
  [".settings.priority(1)", settings({ priority: "input.k" }), settings({}), { inputs: [{ k: 7 }] }],
  [".settings.keep_runs", settings({ keep_runs: 60 }, [start()]), settings({}, [start()]), { times: ["2h", "2h"] }],
  [".pinned", step({}, FAILS, { pinned: { x: "pinned" } }), step({}, FAILS), { draft: true }],
];

const ALL = [...INPUT, ...STEPS, ...SETTINGS];

/** What definitions without a field show, by definition and scenario: many rows compare with the same one. */
const observedBefore = new Map<string, Promise<readonly [string, string]>>();

/** Twice, because a difference between two observations only means something if the same definition shows none. */
function observedTwice(without: DraftPut, scenario: Scenario | undefined): Promise<readonly [string, string]> {
  const key = JSON.stringify([without, scenario]);
  const observed =
    observedBefore.get(key) ??
    observe(without, scenario).then(async (first) => [first, await observe(without, scenario)] as const);
  observedBefore.set(key, observed);
  return observed;
}

describe("the vocabulary", () => {
  it("has a row for every field and every value", () => {
    const known = new Set(ALL.map(([name]) => name));
    const { all } = offeredBy(DraftPut);
    expect(all.filter((name) => !known.has(name))).toEqual([]);
    expect([...known].filter((name) => !all.includes(name))).toEqual([]);
  });

  it.each(ALL.map(([name, withIt, without, scenario]) => ({ name, withIt, without, scenario })))(
    "$name changes what can be seen",
    async ({ withIt, without, scenario }) => {
      const [before, again] = await observedTwice(without, scenario);
      expect(again).toBe(before);
      expect(await observe(withIt, scenario)).not.toBe(before);
    },
  );
});
