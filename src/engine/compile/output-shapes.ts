/** Which fields the outputs of steps can have, as far as their definitions say it. */
import { cut } from "../../errors.ts";
import { isRecord, type JsonObject } from "../../json.ts";
import { didYouMean } from "../../messages/closest-name.ts";
import { ANYTHING, outputShapeOf, type Shape, shapeOfSchema } from "../../services/output-shape.ts";
import type { Services } from "../../services/registry.ts";
import type { InputDefinition, InputField } from "../../workflows/input/input-field.ts";
import { isForEach, type Step } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";
import type { StepPath } from "../expressions/step-paths.ts";

/** The fields of a step in expressions. */
const STEP = ["status", "error", "errors", "attempts", "started_at", "finished_at"];
const MODEL = ["text", "finish_reason", "iterations", "tool_calls", "usage"];

type Source = Pick<Definition, "steps" | "input" | "pinned">;

/** Returns the message for a field that the steps of a version never have; null for one that they may have. */
export type FieldProblem = (path: StepPath) => string | null;

/** @param source A definition. Its pinned outputs, which only runs of the draft use, can be anything. */
export function createFieldProblem({ steps, input, pinned = {} }: Source, services: Services): FieldProblem {
  let byKey: ReadonlyMap<string, Step> | undefined;
  const shapes = new Map<string, Shape>();

  function shapeOf(key: string): Shape {
    const known = shapes.get(key);
    if (known !== undefined) return known;
    byKey ??= new Map(steps.map((step) => [step.key, step]));
    const step = byKey.get(key);
    const shape = step === undefined || Object.hasOwn(pinned, key) ? ANYTHING : shapeOfStep(step, input, services);
    shapes.set(key, shape);
    return shape;
  }

  return ([key = "", ...names]) => {
    const name = names.pop() ?? "";
    const shape = names.reduce((outer: Shape, one) => outer?.get(one) ?? ANYTHING, shapeOf(key));
    return shape === null || shape.has(name) ? null : unknownField(["steps", key, ...names], name, [...shape.keys()]);
  };
}

/**
 * The same for the input of a run, which has the fields of the version and of its start step. Any field may be there if runs
 * can start without a definition.
 */
export function createInputProblem({ steps, input }: Pick<Definition, "steps" | "input">): FieldProblem {
  let shape: Shape | undefined;
  return (path) => {
    if (shape === undefined) shape = shapeOfRunInput(steps, input);
    const names = [...path];
    const name = names.pop() ?? "";
    const found = names.reduce((outer: Shape, one) => outer?.get(one) ?? ANYTHING, shape);
    return found === null || found.has(name) ? null : unknownField(["input", ...names], name, [...found.keys()]);
  };
}

function shapeOfRunInput(steps: readonly Step[], input: InputDefinition): Shape {
  const own = steps.flatMap((step) => (step.type === "input" ? [step.input] : []));
  const all = (own.length === 0 ? [{}] : own).map((fields) => ({ ...input, ...fields }));
  if (all.some((fields) => Object.keys(fields).length === 0)) return ANYTHING;
  const shape = new Map<string, Shape>();
  for (const [name, one] of all.flatMap((fields) => [...(shapeOfInput(fields) ?? [])])) {
    // Steps of several starts may declare a field differently.
    shape.set(name, all.length === 1 || !shape.has(name) ? one : ANYTHING);
  }
  return shape;
}

/** Maximum number of names in a message. */
const MAX_SHOWN_NAMES = 20;

function unknownField([first = "", ...path]: readonly string[], name: string, known: readonly string[]): string {
  const shown = `${known.slice(0, MAX_SHOWN_NAMES).join(", ")}${known.length > MAX_SHOWN_NAMES ? ", …" : ""}`;
  const all = known.length === 0 ? "It has no fields." : `Its fields: ${shown}.`;
  const where = first + path.map((part) => (IDENTIFIER.test(part) ? `.${part}` : `[${quoted(part)}]`)).join("");
  return `${where} has no field ${quoted(name)}.${didYouMean(name, known)} ${all}`;
}

const IDENTIFIER = /^[A-Za-z_]\w{0,127}$/;
const quoted = (text: string) => JSON.stringify(cut(text, 128));

function shapeOfStep(step: Step, input: InputDefinition, services: Services): Shape {
  const output = isForEach(step) ? ANYTHING : shapeOfOutput(step, input, services);
  return new Map([...fieldsNamed(STEP), ["output", output]]);
}

function shapeOfOutput(step: Step, input: InputDefinition, services: Services): Shape {
  switch (step.type) {
    case "input":
      // Without fields of its own, an input step accepts any object, unless a run starts there.
      return Object.keys(step.input).length === 0 ? ANYTHING : shapeOfInput({ ...input, ...step.input });
    case "code":
      return step.output === undefined ? ANYTHING : shapeOfSchema(step.output);
    case "http_request":
      return fieldsNamed(["status", "headers", "body", "file", "mime_type"]);
    case "browser":
      return fieldsNamed(["status", "url", "title", "content"]);
    case "branch":
      return fieldsNamed(["taken"]);
    case "model":
      return shapeOfAnswer(step.provider.response_format);
    case "service": {
      const found = services.find(step.service.service, step.service.action);
      return found.isKnown ? outputShapeOf(found.action.output) : ANYTHING;
    }
    default:
      return ANYTHING;
  }
}

const fieldsNamed = (names: readonly string[]) => new Map(names.map((name): [string, Shape] => [name, ANYTHING]));

function shapeOfAnswer(format: { readonly type: string; readonly schema?: JsonObject } | undefined): Shape {
  if (format === undefined || format.type === "text") return fieldsNamed(MODEL);
  const object = format.type === "json_schema" && isRecord(format.schema) ? shapeOfSchema(format.schema) : ANYTHING;
  return new Map([...fieldsNamed(MODEL), ["object", object]]);
}

/** Text between fields has no value. */
function shapeOfInput(definition: InputDefinition): Shape {
  const fields = Object.entries(definition).filter(([, { type }]) => type !== "content");
  return new Map(fields.map(([name, field]) => [name, shapeOfField(field)]));
}

function shapeOfField(field: InputField): Shape {
  if (field.type !== "object" || field.array === true || Object.keys(field.fields).length === 0) return ANYTHING;
  return (field.additional_fields ?? false) === false ? shapeOfInput(field.fields) : ANYTHING;
}
