/** What was typed is kept field by field, and fills the forms of other versions. */
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/forms/model/entry.ts";
import { blankForm, fillForm } from "../../src/forms/model/fill-entry.ts";
import type { FormModel } from "../../src/forms/model/form-model.ts";
import { inputModel } from "../../src/forms/model/input-model.ts";
import { createNotation } from "../../src/forms/model/notation.ts";
import { readForm } from "../../src/forms/model/read-entry.ts";
import { typedTexts } from "../../src/forms/model/typed-text.ts";
import { keptTyped, placedValues, type TypedValue, typedValues } from "../../src/forms/model/typed-values.ts";
import type { JsonObject } from "../../src/json.ts";

const notation = createNotation("en");

const typedInto = (model: FormModel, values: Entry) => typedValues(model, blankForm(model, notation), values);
const typed = (model: FormModel, input: JsonObject) => typedInto(model, fillForm(model, input, notation));
const opened = (model: FormModel, kept: readonly TypedValue[]) =>
  placedValues(model, blankForm(model, notation), kept, notation);
const read = (model: FormModel, values: Entry) => readForm(model, values, notation).value;
/** As the browser keeps it. */
const stored = (kept: readonly TypedValue[]) => keptTyped(JSON.parse(JSON.stringify(kept)));

describe("the form of another version", () => {
  const before = inputModel({
    name: { type: "string" },
    note: { type: "string", default: "old" },
    size: { type: "string" },
    gone: { type: "string", name: "Gone" },
  });
  const after = inputModel({
    name: { type: "string", name: "Name" },
    note: { type: "string", default: "new" },
    size: { type: "boolean" },
    added: { type: "string" },
  });
  const input = { name: "Ada", note: "old", size: "M", gone: "1" };

  it("takes over what was typed into fields that it has, too, and that fits them", () => {
    const { entry, rest } = opened(after, typed(before, input));
    expect(read(after, entry)).toEqual({ name: "Ada", note: "new" });
    expect(typedTexts(rest)).toEqual([
      { labels: ["size"], text: "M" },
      { labels: ["Gone"], text: "1" },
    ]);
    const other = opened(after, typed(before, { name: "Ada", note: "typed" }));
    expect(read(after, other.entry)).toEqual({ name: "Ada", note: "typed" });
    expect(other.rest).toEqual([]);
  });

  it("stays as it is where nothing was typed", () => {
    const blank = blankForm(after, notation);
    expect(placedValues(after, blank, typed(before, { note: "old" }), notation).entry).toBe(blank);
  });

  it("leaves the rest to the first version, which shows it again", () => {
    const there = opened(after, stored(typed(before, input)));
    const changed = fillForm(after, { name: "Grace", note: "new", size: true }, notation);
    const back = opened(before, stored([...there.rest, ...typedInto(after, changed)]));
    expect(read(before, back.entry)).toEqual({ ...input, name: "Grace" });
    expect(typedTexts(back.rest)).toEqual([{ labels: ["size"], text: "true" }]);
    const again = opened(after, stored([...back.rest, ...typedInto(before, back.entry)]));
    expect(read(after, again.entry)).toEqual({ name: "Grace", note: "new", size: true });
  });
});

it("prefers what was typed for the same kind of field, and puts no text where it is not seen", () => {
  const text = inputModel({ day: { type: "string" } });
  const date = inputModel({ day: { type: "date" } });
  const both = [...typed(text, { day: "Monday" }), ...typed(date, { day: "2020-01-02" })];
  expect(read(text, opened(text, both).entry)).toEqual({ day: "Monday" });
  expect(read(date, opened(date, both).entry)).toEqual({ day: "2020-01-02" });
  expect(opened(date, typed(text, { day: "Monday" })).rest).toHaveLength(1);
  expect(read(text, opened(text, typed(date, { day: "2020-01-02" })).entry)).toEqual({ day: "2020-01-02" });
});

it("keeps the fields of objects one by one, and adds no object without a value for it", () => {
  const object = (fields: Parameters<typeof inputModel>[0]) =>
    inputModel({ home: { type: "object", name: "Home", optional: true, fields } });
  const before = object({ street: { type: "string", name: "Street" }, city: { type: "string", name: "City" } });
  const after = object({ city: { type: "string" }, zip: { type: "string" } });
  const input = { home: { street: "Main", city: "Ulm" } };
  const { entry, rest } = opened(after, typed(before, input));
  expect(read(after, entry)).toEqual({ home: { city: "Ulm" } });
  expect(typedTexts(rest)).toEqual([{ labels: ["Home", "Street"], text: "Main" }]);
  const other = object({ zip: { type: "string" } });
  expect(read(other, opened(other, typed(before, input)).entry)).toEqual({});
});

it("keeps further values, which a form without room for them leaves over", () => {
  const open = inputModel({});
  const closed = inputModel({ who: { type: "string" } });
  const kept = stored(typed(open, { a: "1", b: [2] }));
  expect(read(open, opened(open, kept).entry)).toEqual({ a: "1", b: [2] });
  const { rest } = opened(closed, kept);
  expect(typedTexts(rest)).toEqual([
    { labels: ["a"], text: "1" },
    { labels: ["b"], text: "[\n  2\n]" },
  ]);
  expect(read(open, opened(open, rest).entry)).toEqual({ a: "1", b: [2] });
});

it("reads what can be read of what was kept, whoever has kept it", () => {
  expect(keptTyped({ mark: "1" })).toEqual([]);
  expect(keptTyped([null, { path: ["a"] }, { path: [1], labels: [], kind: "text" }])).toEqual([]);
  const odd = keptTyped([
    { path: ["a"], labels: ["a"], kind: "text", entry: { kind: "list", rows: [1, { entry: 2 }] } },
  ]);
  const model = inputModel({ a: { type: "string" } });
  expect(opened(model, odd).rest).toEqual(odd);
  expect(typedTexts(odd)).toEqual([]);
});
