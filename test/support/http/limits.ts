/** Values on both sides of every limit in the schemas. */
import { BARE_STEPS } from "../workflows/definitions.ts";

export const of = (length: number) => "x".repeat(length);

/** A field with accepted values, and with rejected ones and the pointers of their errors. */
export type Limit = readonly [
  name: string,
  taken: readonly unknown[],
  refused: readonly (readonly [unknown, string])[],
];

const here = (...values: readonly unknown[]) => values.map((value) => [value, ""] as const);

export const ON_EVERY_STEP: readonly Limit[] = [
  ["key", ["x", of(128)], here("", of(129))],
  ["display", ["expanded", "collapsed", "minimal"], here("", "Expanded", "hidden")],
  ["conditional", ["", of(5_000)], here(true, null)],
  ["loop", ["", "output.done"], here(3, null)],
  ["throw_on_error", [true, false], here("true", 1, null)],
  ["input_connected", [true, false], here("false", 0, null)],
  [
    "destinations",
    [[], ["a"], [of(128)], ["a", "b", "a"]],
    [
      ["a", ""],
      [[""], "/0"],
      [["a", of(129)], "/1"],
      [["a", 1], "/1"],
      [null, ""],
    ],
  ],
  [
    "position",
    [
      [0, 0],
      [-1e6, 0.5],
    ],
    [
      [[1], "/1"],
      [[], "/0"],
      [[1, 2, 3], "/2"],
      [["1", 2], "/0"],
      [[1, null], "/1"],
      [{ x: 1, y: 2 }, ""],
    ],
  ],
  [
    "size",
    [
      [0, 0],
      [100, 100],
      [99.5, 0],
      [1e6, 1],
    ],
    [
      [[100], "/1"],
      [[], "/0"],
      [[100, 100, 100], "/2"],
      [[-0.1, 100], "/0"],
      [[100, -1], "/1"],
      [["100", 100], "/0"],
      [100, ""],
    ],
  ],
  [
    "auto",
    [{}, { temperature: 0 }, { temperature: 2 }, { provider: "", model: "" }],
    [
      [{ temperature: -0.001 }, "/temperature"],
      [{ temperature: 2.001 }, "/temperature"],
      [{ temperature: "1" }, "/temperature"],
      [{ provider: 1 }, "/provider"],
      [{ model: null }, "/model"],
      [null, ""],
    ],
  ],
];

const provider = (more: object) => ({ ...BARE_STEPS.model.provider, ...more });

export const OF_STEP_TYPES: Readonly<Record<string, readonly Limit[]>> = {
  note: [["note", ["", of(100_000)], here(null, 1)]],
  input: [
    [
      "webhook",
      [
        { method: "GET" },
        ...["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => ({ method, path: of(1_024) })),
        { method: "POST", path: "" },
      ],
      [
        [{ method: "POST", path: of(1_025) }, "/path"],
        [{ method: "HEAD" }, "/method"],
        [{ method: "post" }, "/method"],
        [{ path: "x" }, "/method"],
      ],
    ],
  ],
  branch: [
    [
      "conditions",
      [{}, { [of(2_000)]: { destinations: [], order: 0 } }, { a: { destinations: ["x"], order: -1e9, condition: "" } }],
      [
        [{ a: { destinations: [of(129)], order: 0 } }, "/a/destinations/0"],
        [{ a: { destinations: [], order: "1" } }, "/a/order"],
        [[], ""],
      ],
    ],
    [
      "else",
      [[], ["x"]],
      [
        [[""], "/0"],
        ["x", ""],
      ],
    ],
  ],
  code: [["code", ["", of(100_000)], here(null)]],
  model: [
    [
      "provider",
      [
        ...[0, 0.1, 2].map((temperature) => provider({ temperature })),
        ...[1, 512].map((max_iterations) => provider({ max_iterations })),
        ...[0, 1e9].map((max_tokens) => provider({ max_tokens })),
        ...["auto", "required", "none"].map((tools_mode) => provider({ tools_mode })),
        ...["text", "json_object", "json_schema"].map((type) => provider({ response_format: { type } })),
        ...["low", "medium", "high"].map((reasoning) => provider({ features: { reasoning } })),
        ...["", [], [{ role: "system", content: "" }]].map((messages) => provider({ messages })),
      ],
      [
        [provider({ temperature: -0.001 }), "/temperature"],
        [provider({ temperature: 2.001 }), "/temperature"],
        [provider({ max_iterations: 0 }), "/max_iterations"],
        [provider({ max_iterations: 1.5 }), "/max_iterations"],
        [provider({ max_iterations: 513 }), "/max_iterations"],
        [provider({ max_tokens: -1 }), "/max_tokens"],
        [provider({ tools_mode: "any" }), "/tools_mode"],
        [provider({ tools: "mail.send" }), "/tools"],
        [provider({ response_format: { type: "xml" } }), "/response_format/type"],
        [provider({ features: { reasoning: "most" } }), "/features/reasoning"],
        [provider({ messages: [{ role: "bot", content: "" }] }), "/messages/0/role"],
        [provider({ messages: [{ role: "user", content: [{ type: "text" }] }] }), "/messages/0/content/0/text"],
        [provider({ messages: null }), "/messages"],
      ],
    ],
  ],
  http_request: [
    ["method", ["GET", "POST", "PUT", "PATCH", "DELETE"], here("HEAD", "get", "")],
    [
      "headers",
      ["", "accept: text/plain", {}, { a: "" }],
      [
        [{ a: 1 }, "/a"],
        [["a: b"], ""],
        [null, ""],
      ],
    ],
    ["body", [""], here({}, null)],
  ],
  browser: [
    ["strip_html", [true, false], here("yes")],
    ["wait_for_selector", [""], here(null)],
  ],
  workflow: [
    ["input", [null, "", "{{ input }}", {}], here([], 1, true)],
    ["step_key", [null, ""], here(1)],
    ["workflow_version_id", ["draft", "latest", "workv_1", "", 0, 7], here(null, true)],
  ],
  service: [
    [
      "service",
      [{ service: "", action: "", input: {} }],
      [
        [{ service: "", action: "", input: [] }, "/input"],
        [{ service: "", action: "", input: {}, connection_id: null }, "/connection_id"],
      ],
    ],
  ],
};

export const ON_EVERY_FIELD: readonly Limit[] = [
  ["name", ["", of(1_024)], here(of(1_025), null)],
  ["desc", ["", of(10_240)], here(of(10_241), null)],
  ["placeholder", ["", of(512)], here(of(513), null)],
  ["order", [0, 0.5, 1e9], here(-0.001, -1, "1", null)],
  ["optional", [true, false], here("true", null)],
  ["array", [true, false], here(1, null)],
  ["config", [true, false], here(0, null)],
  ["link", [""], here(null)],
  ["metadata", [{}, { a: [null] }], here([], "x", null)],
  [
    "display",
    [
      ...[{}, { field: "inline" }, { field: "stacked" }],
      ...["grid", "full", "center"].map((container) => ({ container })),
      ...["radio", "dropdown", "multiline"].map((control) => ({ control })),
    ],
    [
      [{ field: "above" }, "/field"],
      [{ container: "left" }, "/container"],
      [{ hidden: 1 }, "/hidden"],
      [{ control: "slider" }, "/control"],
      [null, ""],
    ],
  ],
];

const LIST: Limit = [
  "list",
  [[], ["a", 1, { value: "a", label: "" }, { value: 1, label: "One" }]],
  [
    [[true], "/0"],
    [["a", null], "/1"],
    [[{ value: "a" }], "/0/label"],
    [[{ value: 1, label: "x", desc: "" }], "/0/desc"],
    ["a", ""],
  ],
];
const MODES: Limit = [
  "allowed_modes",
  [[], ["value"], ["value", "expression"]],
  [
    [["text"], "/0"],
    ["value", ""],
  ],
];

export const OF_FIELD_TYPES: Readonly<Record<string, readonly Limit[]>> = {
  file: [
    [
      "allowed_types",
      [[], ["image/*", "*/*", "text/csv", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"]],
      [
        [["image"], "/0"],
        [["text/csv", "*/png"], "/1"],
        [["text/csv; charset=x"], "/0"],
        [[""], "/0"],
        ["image/*", ""],
      ],
    ],
    ["visibility", ["PUBLIC", "PRIVATE"], here("public", "", null)],
    ["extract_contents", [true], here("x")],
    ["extract_images", [true], here("x")],
  ],
  number: [["default", [0, -1e300], here("1", null)], LIST],
  string: [["default", [""], here(1, null)], ["validation", ["url"], here("email", "", null)], LIST],
  boolean: [["default", [true, false], here("true", null)], MODES],
  date: [],
  datetime: [],
  time: [],
  select: [
    [
      "options",
      [[{ value: "" }], [{ value: "a" }, { value: "a" }]],
      [
        [[], ""],
        [[{ label: "A" }], "/0/value"],
        [[{ value: 1 }], "/0/value"],
        [["a"], "/0"],
        [[{ value: "a" }, { value: "b", text: "" }], "/1/text"],
      ],
    ],
    ["default", ["not an option"], here(1)],
    ["additional_options", [true], here("x")],
    LIST,
    MODES,
  ],
  content: [["content", ["", of(100_000)], here(null, 1)]],
  connection: [
    [
      "allowed_types",
      [[], ["mail"]],
      [
        [[1], "/0"],
        ["mail", ""],
      ],
    ],
  ],
  object: [
    [
      "additional_fields",
      [true, false, [], ["a"]],
      [
        [[1], "/0"],
        ["a", ""],
        [{}, ""],
      ],
    ],
    [
      "fields",
      [{}, { x: { type: "time" } }],
      [
        [{ x: {} }, "/x/type"],
        [[], ""],
        [null, ""],
      ],
    ],
  ],
};
