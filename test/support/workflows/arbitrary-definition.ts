/** Random workflow definitions for fast-check. */
import fc, { type Arbitrary } from "fast-check";
import { anyCharacter } from "../any-character.ts";

/** The one key that every map rejects, which has tests of its own. */
const UNSAFE = "__proto__";
const TRICKY = [
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "length",
  "123",
  "true",
  "null",
  "a:b",
  "a/b",
  "..",
  "{{ x }}",
];

const text = (maxLength: number) =>
  fc.oneof(fc.string({ unit: anyCharacter, maxLength }), fc.constantFrom(...TRICKY, ""));
const name = text(20).filter((given) => given !== UNSAFE);
const key = text(20).filter((given) => !["", ".", ".."].includes(given));
// JSON has no -0.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((given) => given + 0);
const atLeast = (min: number, max = 1e9) => fc.double({ min, max, noNaN: true }).map((given) => given + 0);
const whole = (min: number, max = 1e9) => fc.integer({ min, max });
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value).replaceAll("-0", "0")));
const free = fc.dictionary(name, json, { maxKeys: 4 }).map((given) => ({ ...given }));
const mapOf = <Value>(value: Arbitrary<Value>) =>
  fc.dictionary(name, value, { maxKeys: 4 }).map((given) => ({ ...given }));
const list = <Value>(value: Arbitrary<Value>) => fc.array(value, { maxLength: 3 });
const flag = fc.boolean();
const oneOf = fc.constantFrom<string[]>;

/** An object with the fields of `required` and some of `optional`. */
function shape(required: Record<string, Arbitrary<unknown>>, optional: Record<string, Arbitrary<unknown>> = {}) {
  return fc
    .record({ ...required, ...optional }, { requiredKeys: Object.keys(required) })
    .map((given) => ({ ...given }));
}

const layout = { field: oneOf("inline", "stacked"), container: oneOf("grid", "full", "center"), hidden: flag };
const display = shape({}, layout);
const displayOfField = shape({}, { ...layout, control: oneOf("radio", "dropdown", "multiline") });
const commonOfFields = {
  name: text(1_024),
  desc: text(2_000),
  optional: flag,
  array: flag,
  placeholder: text(512),
  display: displayOfField,
  order: atLeast(0),
  config: flag,
  link: text(40),
  metadata: free,
};
const choices = list(fc.oneof(text(10), number, shape({ value: fc.oneof(text(10), number), label: text(10) })));
const modes = list(oneOf("value", "expression"));

const { input } = fc.letrec<{ input: unknown; field: unknown }>((tie) => {
  const field = (type: string, own: Record<string, Arbitrary<unknown>> = {}, required: typeof own = {}) =>
    shape({ type: fc.constant(type), ...required }, { ...commonOfFields, ...own });
  return {
    input: mapOf(tie("field")),
    field: fc.oneof(
      { maxDepth: 3 },
      field("string", { default: text(10), validation: oneOf("url"), list: choices }),
      field("number", { default: number, list: choices }),
      field("boolean", { default: flag, allowed_modes: modes }),
      field("date"),
      field("datetime"),
      field("time"),
      field("content", { content: text(40) }),
      field("connection", { allowed_types: list(text(10)) }),
      field("file", {
        allowed_types: list(oneOf("image/*", "text/csv", "*/*")),
        extract_contents: flag,
        extract_images: flag,
        visibility: oneOf("PUBLIC", "PRIVATE"),
      }),
      field(
        "select",
        { default: text(10), list: choices, allowed_modes: modes, additional_options: flag },
        {
          options: fc.array(shape({ value: text(10) }, { label: text(10), desc: text(10) }), {
            minLength: 1,
            maxLength: 3,
          }),
        },
      ),
      field("object", { additional_fields: fc.oneof(flag, list(text(10))) }, { fields: tie("input") }),
    ),
  };
});

const commonOfSteps = {
  display: oneOf("expanded", "collapsed", "minimal"),
  conditional: text(40),
  loop: text(40),
  throw_on_error: flag,
  input_connected: flag,
  destinations: list(key),
  position: fc.tuple(number, number),
  size: fc.tuple(atLeast(0), atLeast(0)),
  auto: shape({}, { provider: text(10), model: text(10), temperature: atLeast(0, 2) }),
};
const catchFields = {
  on_error: list(shape({ destinations: fc.array(key, { minLength: 1, maxLength: 3 }) }, { condition: text(40) })),
};
const timedFields = { ...catchFields, timeout: atLeast(0.001, 31_622_400) };
const executionFields = {
  ...timedFields,
  retry: shape(
    { max_attempts: whole(1, 20) },
    {
      initial_interval: atLeast(0.001, 86_400),
      backoff: atLeast(1, 10),
      max_interval: atLeast(0.001, 86_400),
      on: fc.oneof(oneOf("transient", "any"), fc.array(key, { minLength: 1, maxLength: 20 })),
    },
  ),
  for_each: shape(
    { items: text(40).filter((given) => given !== "") },
    { concurrency: whole(1, 100), on_error: oneOf("fail", "continue") },
  ),
  loop_delay: atLeast(0.001, 31_622_400),
};
const method = oneOf("GET", "POST", "PUT", "PATCH", "DELETE");
const part = fc.oneof(
  shape({ type: fc.constant("text"), text: text(40) }),
  shape({ type: oneOf("image", "file") }, { file_id: text(20), url: text(20) }),
);
const message = shape({ role: oneOf("system", "user", "assistant", "tool"), content: fc.oneof(text(40), list(part)) });
const tool = fc.oneof(
  text(20),
  shape(
    { type: fc.constant("service"), service: text(10), action: text(10) },
    { name: text(10), description: text(10), input: free },
  ),
  shape({ type: fc.constant("workflow"), workflow_id: text(20), name: text(10), description: text(10) }),
);
const provider = shape(
  { provider: text(10), model: text(10), messages: fc.oneof(text(40), list(message)) },
  {
    temperature: atLeast(0, 2),
    response_format: shape({ type: oneOf("text", "json_object", "json_schema") }, { schema: free }),
    max_tokens: whole(0),
    tools: list(tool),
    tools_parallel: flag,
    tools_mode: oneOf("auto", "required", "none"),
    max_iterations: whole(1, 512),
    features: shape({}, { stream: flag, reasoning: oneOf("low", "medium", "high"), cache: flag }),
  },
);

const stepOf = (type: string, required: Record<string, Arbitrary<unknown>>, own: typeof required = {}) =>
  shape({ type: fc.constant(type), key, ...required }, { ...commonOfSteps, ...own });

const step = fc.oneof(
  stepOf("note", { note: text(40) }),
  stepOf("input", { input }, { ...timedFields, webhook: shape({ method }, { path: text(1_024), form: flag }) }),
  stepOf(
    "branch",
    { conditions: mapOf(shape({ destinations: list(key), order: number }, { condition: text(40) })) },
    { ...catchFields, else: list(key) },
  ),
  stepOf("code", { code: text(100) }, executionFields),
  stepOf("model", { provider }, executionFields),
  stepOf(
    "http_request",
    { url: text(40) },
    { ...executionFields, method, headers: fc.oneof(text(40), mapOf(text(20))), body: text(40) },
  ),
  stepOf("browser", { url: text(40) }, { ...executionFields, strip_html: flag, wait_for_selector: text(20) }),
  stepOf(
    "workflow",
    { input: fc.oneof(free, text(40), fc.constant(null)) },
    {
      ...executionFields,
      step_key: fc.oneof(key, fc.constant(null)),
      workflow_id: text(20),
      workflow_version_id: fc.oneof(oneOf("draft", "latest"), text(20), whole(0)),
    },
  ),
  stepOf(
    "service",
    { service: shape({ service: text(10), action: text(10), input: free }, { connection_id: text(20) }) },
    executionFields,
  ),
);

/** A complete definition; its graph and its expressions may be invalid. */
export const definition = shape(
  {
    input,
    input_default: fc.oneof(free, fc.constant(null)),
    input_options: fc.oneof(shape({}, { display }), fc.constant(null)),
    steps: fc.array(step, { maxLength: 4 }),
  },
  {
    pinned: free,
    settings: shape(
      {},
      {
        timeout: atLeast(0.001, 31_622_400),
        on_failure: shape({ workflow_id: key }, { input: free }),
        start_on: fc.array(shape({ name: oneOf("order.paid", "a:b/c-1") }, { condition: key }), {
          minLength: 1,
          maxLength: 3,
        }),
        keep_runs: atLeast(60, 31_622_400),
        concurrency: shape(
          { limit: fc.integer({ min: 1, max: 10_000 }) },
          { key, strategy: fc.constantFrom("queue", "reject", "skip", "cancel_oldest") },
        ),
        debounce: shape({ period: atLeast(0.001, 31_622_400) }, { key, max_wait: fc.constant(31_622_400) }),
        rate_limit: shape({ limit: fc.integer({ min: 1, max: 10_000 }), period: atLeast(0.001, 31_622_400) }, { key }),
        priority: fc.oneof(fc.integer({ min: -100, max: 100 }), key),
      },
    ),
  },
);
