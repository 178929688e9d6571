/** Types of definitions: a step or field accepts the properties of its type only. */
import { assertType, describe, expectTypeOf, it } from "vitest";
import type { InputDefinition, InputField, Step, StepOf, StepType, WorkflowCreate } from "../../src/index.ts";

describe("the type Step", () => {
  it("has nine step types", () => {
    expectTypeOf<StepType>().toEqualTypeOf<
      "note" | "input" | "branch" | "code" | "model" | "http_request" | "browser" | "workflow" | "service"
    >();
  });

  it("narrows by `type`", () => {
    const narrow = (step: Step) => {
      if (step.type === "code") {
        expectTypeOf(step).toEqualTypeOf<StepOf<"code">>();
        expectTypeOf(step.code).toBeString();
      }
      if (step.type === "branch") expectTypeOf(step.conditions["a"]?.order).toEqualTypeOf<number | undefined>();
      if (step.type === "input") expectTypeOf(step.input).toEqualTypeOf<InputDefinition>();
      if (step.type === "http_request")
        expectTypeOf(step.headers).toEqualTypeOf<string | { [name: string]: string } | undefined>();
      // @ts-expect-error: not every step has code
      step.code;
    };
    expectTypeOf(narrow).returns.toBeVoid();
  });

  it("accepts the fields of its step type only", () => {
    assertType<Step>({ type: "code", key: "a", code: "return 1", conditional: "true", loop: "done", position: [0, 1] });
    assertType<Step>({ type: "workflow", key: "a", input: null, workflow_version_id: 3 });
    // @ts-expect-error: no code
    assertType<Step>({ type: "code", key: "a" });
    // @ts-expect-error: no key
    assertType<Step>({ type: "note", note: "" });
    // @ts-expect-error: no such type
    assertType<Step>({ type: "script", key: "a", code: "" });
    // @ts-expect-error: belongs to a code step
    assertType<Step>({ type: "note", key: "a", note: "", code: "" });
    // @ts-expect-error: not a method
    assertType<Step>({ type: "http_request", key: "a", url: "https://example.com", method: "get" });
    // @ts-expect-error: is spelt throw_on_error
    assertType<Step>({ type: "code", key: "a", code: "", throwOnError: false });
    // @ts-expect-error: an omitted field is not undefined
    assertType<Step>({ type: "code", key: "a", code: "", loop: undefined });
  });
});

describe("the type InputField", () => {
  it("has eleven field types", () => {
    expectTypeOf<InputField["type"]>().toEqualTypeOf<
      | "file"
      | "number"
      | "string"
      | "boolean"
      | "date"
      | "datetime"
      | "time"
      | "select"
      | "content"
      | "connection"
      | "object"
    >();
  });

  it("narrows by `type`", () => {
    const narrow = (field: InputField) => {
      if (field.type === "number") expectTypeOf(field.default).toEqualTypeOf<number | undefined>();
      if (field.type === "select") expectTypeOf(field.options[0]?.value).toEqualTypeOf<string | undefined>();
      if (field.type === "object") expectTypeOf(field.fields).toEqualTypeOf<InputDefinition>();
      expectTypeOf(field.optional).toEqualTypeOf<boolean | undefined>();
      // @ts-expect-error: dates have no default
      if (field.type === "date") field.default;
    };
    expectTypeOf(narrow).returns.toBeVoid();
  });

  it("accepts the fields of its type only, at any depth", () => {
    assertType<InputField>({
      type: "object",
      fields: { a: { type: "object", fields: { b: { type: "file", allowed_types: ["text/csv"] } } } },
    });
    assertType<InputField>({
      type: "object",
      // @ts-expect-error: a number has no text as its default
      fields: { a: { type: "object", fields: { b: { type: "number", default: "1" } } } },
    });
    // @ts-expect-error: nothing to choose from
    assertType<InputField>({ type: "select" });
  });
});

it("WorkflowCreate accepts a constant workflow", () => {
  const workflow = {
    name: "Interest",
    input: { amount: { type: "number" } },
    steps: [
      { type: "input", key: "start", input: { document: { type: "file", extract_contents: true } } },
      { type: "branch", key: "size", conditions: { large: { order: 1, condition: "true", destinations: [] } } },
    ],
  } satisfies WorkflowCreate;
  assertType<WorkflowCreate>(workflow);
});
