/** What makes a draft deployable, and how its problems are reported. */
import { expect, it } from "vitest";
import { type CallApi, describeEachTransport, type Refusal, type TestHost } from "../support/http/transports.ts";
import { EVERYTHING } from "../support/workflows/definitions.ts";

const NOTE = { type: "note", key: "n", note: "" };

async function author({ app: openApp, callApi }: TestHost) {
  const app = await openApp();
  const { id } = await callApi("workflows.create", app.id, { name: "Intake", steps: [NOTE] });
  const at: CallApi = (operation, ...given) => callApi(`workflows.${operation}`, app.id, id, ...given);
  return { app, id: String(id), at };
}

describeEachTransport("a deployment", (open) => {
  /** All problems of a draft by pointer; deploying and validating must agree. */
  async function problems(at: CallApi, draft: object): Promise<Record<string, string>> {
    await at("putDraft", draft);
    const refused: Refusal | undefined = await at("deploy", {}).then(
      () => undefined,
      (error: Refusal) => error,
    );
    const { valid, errors } = await at("validate");
    expect(valid).toBe(refused === undefined);
    expect(errors).toEqual(refused?.errors ?? []);
    if (refused !== undefined) expect([refused.status, refused.code]).toEqual([422, "invalid"]);
    return Object.fromEntries(errors.map(({ pointer, message }: Refusal["errors"][number]) => [pointer, message]));
  }

  const code = (key: string, ...destinations: string[]) => ({ type: "code", key, code: "", destinations });

  it("stores nothing when it is rejected", async () => {
    const { at } = await author(open());
    await at("deploy");
    expect(await problems(at, { steps: [NOTE, NOTE] })).toHaveProperty("/steps/1/key");
    expect(await at("get")).toMatchObject({ latest_version: 1 });
    expect((await at("listVersions")).total).toBe(1);
    await at("putDraft", { steps: [NOTE] });
    expect(await at("deploy")).toMatchObject({ version: 2 });
  });

  it("requires unique step keys, compared by code unit", async () => {
    const { at } = await author(open());
    const steps = ["a", "A", "a ", "á", "a\u0301"].map((key) => ({ ...NOTE, key }));
    expect(await problems(at, { steps })).toEqual({});
    expect(await problems(at, { steps: [...steps, { ...NOTE, key: "A" }, { ...NOTE, key: "A" }] })).toEqual({
      "/steps/5/key": 'Must be unique: step 1 also has the key "A".',
      "/steps/6/key": 'Must be unique: step 1 also has the key "A".',
    });
  });

  it("rejects step keys that no URL can contain", async () => {
    const { at } = await author(open());
    const keys = ["a\ud800", "\udc00", "...", "a/b", "\u{1f4a5}"];
    const unpaired = expect.stringContaining("unpaired surrogate");
    expect(await problems(at, { steps: keys.map((key) => ({ type: "input", key, input: {} })) })).toEqual({
      "/steps/0/key": unpaired,
      "/steps/1/key": unpaired,
    });
  });

  it("rejects destinations that do not exist", async () => {
    const { at } = await author(open());
    const branch = {
      type: "branch",
      key: "b",
      destinations: ["x", "n"],
      conditions: { "one/two": { destinations: ["n", "y"], order: 1 } },
      else: ["z"],
    };
    expect(await problems(at, { steps: [branch, NOTE, code("c", "toString", "N")] })).toEqual({
      "/steps/0/destinations/0": 'There is no step with the key "x".',
      "/steps/0/conditions/one~1two/destinations/1": 'There is no step with the key "y".',
      "/steps/0/else/0": 'There is no step with the key "z".',
      "/steps/2/destinations/0": 'There is no step with the key "toString".',
      "/steps/2/destinations/1": 'There is no step with the key "N". Did you mean "n"?',
    });
  });

  it("rejects cycles of steps", async () => {
    const { at } = await author(open());
    const cycle = async (steps: object[]) => Object.entries(await problems(at, { steps }));
    expect(await cycle([code("a", "a")])).toEqual([
      [
        "/steps/0",
        'The steps form a cycle: "a" → "a". To repeat one step, set its loop or for_each. To repeat several, move them to another workflow and run it from a workflow step with loop or for_each.',
      ],
    ]);
    const [[pointer, message = ""] = []] = await cycle([
      code("in", "a"),
      code("a", "b"),
      { type: "branch", key: "b", conditions: { x: { destinations: ["c"], order: 0 } }, else: ["out"] },
      { type: "branch", key: "c", conditions: {}, else: ["a"] },
      code("out"),
    ]);
    expect(pointer).toMatch(/^\/steps\/[123]$/);
    expect(message).toMatch(/"a" → "b" → "c"|"b" → "c" → "a"|"c" → "a" → "b"/);
    const start = { type: "input", key: "start", input: {} };
    expect(await cycle([start, { ...code("a", "start"), input_connected: true }])).toHaveLength(1);
    // A diamond is not a cycle.
    expect(await cycle([code("a", "b", "c"), code("b", "d"), code("c", "d"), code("d")])).toEqual([]);
  });

  it("rejects input_connected when there is no input step", async () => {
    const { at } = await author(open());
    const connected = { ...code("c"), input_connected: true };
    expect(await problems(at, { steps: [connected] })).toEqual({
      "/steps/0/input_connected": "Has no effect: the workflow has no input step. Add one, or omit the field.",
    });
    expect(await problems(at, { steps: [{ type: "input", key: "i", input: {} }, connected] })).toEqual({});
    expect(await problems(at, { steps: [{ ...connected, input_connected: false }] })).toEqual({});
  });

  it("rejects invalid expressions with their position", async () => {
    const { at } = await author(open());
    const found = await problems(at, {
      steps: [
        { ...code("a"), conditional: "input.x >", loop: "1 ++ 2" },
        {
          type: "branch",
          key: "b",
          conditions: {
            good: { condition: "size(input) > 0 && input.?x.orValue(1) == 1", destinations: [], order: 0 },
            "bad/one": { condition: "nobody == 1", destinations: [], order: 1 },
            empty: { condition: "", destinations: [], order: 2 },
          },
        },
        { ...NOTE, conditional: "iteration > 1" },
        { ...code("l"), loop: "iteration > 1 && output != previous" },
      ],
    });
    expect(Object.keys(found).sort()).toEqual([
      "/steps/0/conditional",
      "/steps/0/loop",
      "/steps/1/conditions/bad~1one/condition",
      "/steps/1/conditions/empty/condition",
      "/steps/2/conditional",
    ]);
    expect(found["/steps/0/conditional"]).toMatch(/, at position \d+ of "input\.x >"/);
    expect(found["/steps/0/loop"]).toMatch(/, at position 4 of "1 \+\+ 2"/);
    expect(found["/steps/1/conditions/bad~1one/condition"]).toMatch(/nobody.*, at position 1 of "nobody == 1"/);
    expect(found["/steps/2/conditional"]).toMatch(/iteration/);
  });

  it("rejects templates without a closing brace", async () => {
    const { at } = await author(open());
    const child = await at("get");
    const found = await problems(at, {
      steps: [
        {
          type: "http_request",
          key: "h",
          url: "a {{ input.x",
          headers: { "a~b": "{{", c: "{{ 'x }}' }}" },
          body: "{{ }}",
        },
        { type: "http_request", key: "g", url: "}} {{ {'a': {'b': 1}}.a.b }}", headers: "x: {{ 1 + }}" },
        {
          type: "workflow",
          key: "w",
          workflow_id: child.id,
          input: { list: ["ok", { deep: "{{ input" }] },
          step_key: "{{",
        },
        // Code and notes are not templates.
        { type: "code", key: "c", code: "return '{{';" },
        { type: "note", key: "n", note: "{{" },
      ],
    });
    expect(found).toMatchObject({
      "/steps/0/url": '"{{" at position 3 has no closing "}}".',
      "/steps/0/headers/a~0b": '"{{" at position 1 has no closing "}}".',
      "/steps/2/input/list/1/deep": '"{{" at position 1 has no closing "}}".',
      "/steps/2/step_key": '"{{" at position 1 has no closing "}}".',
    });
    expect(Object.keys(found).sort()).toEqual([
      "/steps/0/body",
      "/steps/0/headers/a~0b",
      "/steps/0/url",
      "/steps/1/headers",
      "/steps/2/input/list/1/deep",
      "/steps/2/step_key",
    ]);
  });

  it("rejects expressions that name a step that does not run before", async () => {
    const { at } = await author(open());
    const not = (key: string) => `The step ${JSON.stringify(key)} does not run before this one.`;
    const found = await problems(at, {
      steps: [
        { ...code("a", "b", "side"), conditional: "steps.b.status == 'succeeded'" },
        {
          type: "http_request",
          key: "b",
          url: "{{ steps.a.output }}",
          body: "{{ steps.side.output }}",
          destinations: ["c"],
        },
        { ...code("side"), conditional: "steps['a'].output == steps[\"sdie\"].output" },
        {
          ...code("c"),
          conditional: "has(steps.a.output) && steps.?b.?output.orValue(1) == 1",
          loop: "steps.c.output == 1",
        },
        { ...code("d"), conditional: "steps.d.output == 1" },
      ],
    });
    expect(found).toEqual({
      "/steps/0/conditional": not("b"),
      "/steps/1/body": not("side"),
      "/steps/2/conditional": 'There is no step with the key "sdie". Did you mean "side"?',
      "/steps/4/conditional": not("d"),
    });
    // If no step names another, the list is a chain.
    expect(await problems(at, { steps: [NOTE, { ...NOTE, key: "m", conditional: "steps.n.output == null" }] })).toEqual(
      {},
    );
    expect(await problems(at, { steps: [{ ...NOTE, key: "m", conditional: "steps.n.output == null" }, NOTE] })).toEqual(
      {
        "/steps/0/conditional": not("n"),
      },
    );
  });

  it("rejects workflow steps whose workflow or version is not in the app", async () => {
    const host = open();
    const { app, at, id } = await author(host);
    const other = await author(host);
    await at("deploy");
    const gone = (what: string, name: string) => `There is no ${what} with the id ${JSON.stringify(name)}.`;
    const step = (key: string, more: object) => ({ type: "workflow", key, input: null, ...more });
    expect(
      await problems(at, {
        steps: [
          step("none", {}),
          step("empty", { workflow_id: "" }),
          step("unknown", { workflow_id: "work_1" }),
          step("foreign", { workflow_id: other.id }),
          step("odd", { workflow_id: "../x" }),
          step("version", { workflow_id: id, workflow_version_id: 2 }),
          step("id", { workflow_id: id, workflow_version_id: "workv_1" }),
        ],
      }),
    ).toEqual({
      "/steps/0/workflow_id": "Is required: the id of a workflow of this app.",
      "/steps/1/workflow_id": gone("workflow", ""),
      "/steps/2/workflow_id": gone("workflow", "work_1"),
      "/steps/3/workflow_id": gone("workflow", other.id),
      "/steps/4/workflow_id": gone("workflow", "../x"),
      "/steps/5/workflow_version_id": gone("version", "2"),
      "/steps/6/workflow_version_id": gone("version", "workv_1"),
    });
    const half = { steps: [step("half", { workflow_id: id, workflow_version_id: 0.5 })] };
    await expect(at("putDraft", half)).rejects.toMatchObject({
      status: 422,
      errors: [{ pointer: "/steps/0/workflow_version_id", message: "Must be a whole number." }],
    });
    const { id: versionId } = await at("getVersion", 1);
    const fine = [{}, ...[1, "1", versionId, "latest", "draft"].map((version) => ({ workflow_version_id: version }))];
    const steps = fine.map((more, index) => step(`w${index}`, { workflow_id: id, ...more }));
    const chosen = [
      step("x", { workflow_id: "{{ input.which }}" }),
      step("y", { workflow_id: id, workflow_version_id: "{{ 1 }}" }),
    ];
    expect(await problems(at, { steps: [...steps, ...chosen] })).toEqual({});
    expect(app.id).not.toBe(other.app.id);
  });

  it("rejects unknown model providers, tools and browser features", async () => {
    const { at } = await author(open());
    const steps = EVERYTHING.steps
      .filter(({ type }) => ["model", "browser"].includes(type))
      .map(({ conditional: _, loop: __, input_connected: ___, destinations: ____, ...step }) => step);
    expect(Object.keys(await problems(at, { steps })).sort()).toEqual([
      "/steps/0/provider/provider",
      "/steps/0/provider/tools/0",
      "/steps/0/provider/tools/1",
      "/steps/0/provider/tools/2",
      "/steps/1/wait_for_selector",
    ]);
  });

  it("rejects defaults without an input field", async () => {
    const { at } = await author(open());
    const draft = {
      input: { a: { type: "string" }, o: { type: "object", fields: { inner: { type: "string" } } } },
      input_default: { a: null, b: 1, "c/d": 2, inner: 3, toString: 4 },
      steps: [{ type: "input", key: "i", input: { b: { type: "number" } } }],
    };
    const message = "Unknown input field.";
    expect(await problems(at, draft)).toEqual({
      "/input_default/c~1d": message,
      "/input_default/inner": message,
      "/input_default/toString": message,
    });
  });

  it("reports all problems at once", async () => {
    const { at } = await author(open());
    const found = await problems(at, {
      input_default: { nobody: 1 },
      steps: [
        { ...code("a", "b", "nowhere"), conditional: "1 +" },
        { ...code("a", "loop"), input_connected: true },
        { type: "http_request", key: "b", url: "{{ input.x" },
        code("loop", "loop"),
        { type: "workflow", key: "w", input: {}, workflow_id: "work_1" },
        { type: "model", key: "m", provider: { provider: "p", model: "m", messages: "" } },
      ],
    });
    expect(Object.keys(found).sort()).toEqual([
      "/input_default/nobody",
      "/steps/0/conditional",
      "/steps/0/destinations/1",
      "/steps/1/input_connected",
      "/steps/1/key",
      "/steps/2/url",
      "/steps/3",
      "/steps/4/workflow_id",
      "/steps/5/provider/provider",
    ]);
  });
});
