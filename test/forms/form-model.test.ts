/** The form model: of random definitions, against the check of the server and the page that the server draws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FormField, formFieldsOf, valuesOf } from "../../src/forms/form-values.ts";
import type { Entry } from "../../src/forms/model/entry.ts";
import { blankForm, fillForm } from "../../src/forms/model/fill-entry.ts";
import type { ObjectShape, Shape } from "../../src/forms/model/form-model.ts";
import { inputModel } from "../../src/forms/model/input-model.ts";
import { keptEntry } from "../../src/forms/model/kept-entry.ts";
import { createNotation } from "../../src/forms/model/notation.ts";
import { placeErrors } from "../../src/forms/model/place-errors.ts";
import { readForm } from "../../src/forms/model/read-entry.ts";
import { isRecord, type JsonObject, type JsonValue } from "../../src/json.ts";
import { checkInput } from "../../src/workflows/input/check-input.ts";
import type { InputDefinition } from "../../src/workflows/input/input-field.ts";
import { formWithInput } from "../support/forms/arbitrary-form.ts";

const notation = createNotation("en");

function readObject(model: ReturnType<typeof inputModel>, entry: Entry): JsonObject {
  const { value, problems } = readForm(model, entry, notation);
  expect(problems).toEqual([]);
  return isRecord(value) ? (value as JsonObject) : {}; // a form reads JSON
}

const checked = (definition: InputDefinition, input: JsonObject) => checkInput(definition, input, {}, []);

describe("a form that is filled with an input", () => {
  it.each(["en", "de", "fr", "sv"])("gives the same input again, and the server accepts it, in %s", (language) => {
    const written = createNotation(language);
    fc.assert(
      fc.property(formWithInput, ({ definition, input }) => {
        const model = inputModel(definition);
        const { value, problems } = readForm(model, fillForm(model, input, written), written);
        expect({ value, problems }).toEqual({ value: input, problems: [] });
        expect(checked(definition, input).errors).toEqual([]);
      }),
    );
  });

  it("gives moments as they were written, until somebody changes them", () => {
    const model = inputModel({
      at: { type: "datetime", name: "At", array: true },
      note: { type: "string", name: "Note" },
    });
    const input = { at: ["2027-01-31T09:30:00+05:30", "2027-03-14T02:30", "2027-06-01T12:00:00.000Z"], note: "a" };
    const entry = fillForm(model, input, notation);
    expect(readObject(model, entry)).toEqual(input);
    const kept: unknown = JSON.parse(JSON.stringify(entry));
    expect(readObject(model, keptEntry(model, kept) ?? { kind: "none" })).toEqual(input);
    const at = entry.kind === "object" ? entry.fields["at"] : undefined;
    const [first, ...others] = at?.kind === "list" ? at.rows : [];
    const changed = { id: 1, entry: { kind: "text", text: "2027-02-01T09:30" } } as const;
    const rows = [changed, ...others];
    expect(first?.entry).toMatchObject({ kind: "text", given: input.at[0] });
    const typed: Entry = { kind: "object", fields: { at: { kind: "list", rows } }, extra: [] };
    const local = notation.toInstant("2027-02-01T09:30");
    expect(readObject(model, typed)).toMatchObject({ at: [local, ...input.at.slice(1)] });
  });

  it("shows every value in the control of its field, not as JSON", () => {
    fc.assert(
      fc.property(formWithInput, ({ definition, input }) => {
        const model = inputModel(definition);
        expect(JSON.stringify(fillForm(model, input, notation))).not.toContain('"kind":"raw"');
      }),
    );
  });

  it("is restored from what the browser has kept, unless the form has changed", () => {
    fc.assert(
      fc.property(formWithInput, formWithInput, ({ definition, input }, other) => {
        const model = inputModel(definition);
        const entry = fillForm(model, input, notation);
        const kept: unknown = JSON.parse(JSON.stringify(entry));
        expect(keptEntry(model, kept)).toEqual(entry);
        const changed = inputModel({ ...definition, ...other.definition, "one more": { type: "date" } });
        expect(keptEntry(changed, kept)).toBeNull();
      }),
    );
  });

  it("shows any JSON without objects, and gives it back", () => {
    const plain = fc.jsonValue().filter((value) => value !== null && !JSON.stringify(value).includes("{"));
    fc.assert(
      fc.property(formWithInput, plain, ({ definition }, value) => {
        const given = JSON.parse(JSON.stringify(value)) as JsonValue; // without what JSON does not have
        const model = inputModel(definition);
        const input = { ...Object.fromEntries(Object.keys(definition).map((key) => [key, given])), more: given };
        expect(readObject(model, fillForm(model, input, notation))).toEqual(input);
      }),
    );
  });
});

describe("a file that the app no longer has", () => {
  it("is kept with the form, but is no part of its value", () => {
    const model = inputModel({ file: { type: "file", name: "File", array: true } });
    const file = (id: string, isDeleted?: boolean) => ({
      ...{ id, name: "a.txt", size: 1, type: "text/plain", uploadUrl: null },
      ...(isDeleted === undefined ? {} : { isDeleted }),
    });
    const withFiles = (...files: ReturnType<typeof file>[]) =>
      keptEntry(model, { kind: "object", fields: { file: { kind: "files", files } }, extra: [] });
    const entry = withFiles(file("file_1", true), file("file_2"), file("file_3", false));
    if (entry === null) throw new Error("not kept");
    expect(readForm(model, entry, notation).value).toEqual({ file: ["file_2", "file_3"] });
    const gone = withFiles(file("file_1", true));
    if (gone === null) throw new Error("not kept");
    expect(readForm(model, gone, notation).value).toEqual(readForm(model, blankForm(model, notation), notation).value);
  });
});

describe("a blank form", () => {
  it("lacks only what is required", () => {
    fc.assert(
      fc.property(formWithInput, ({ definition }) => {
        const model = inputModel(definition);
        const { errors } = checked(definition, readObject(model, blankForm(model, notation)));
        expect(errors.filter(({ message }) => message !== "Is required.")).toEqual([]);
      }),
    );
  });

  it("has every default of the version", () => {
    const definition: InputDefinition = {
      text: { type: "string", default: "a" },
      count: { type: "number", default: 1.5 },
      flag: { type: "boolean", default: true, optional: true },
      pick: { type: "select", options: [{ value: "x" }, { value: "y" }], default: "y" },
      shown: { type: "object", fields: { inner: { type: "string" } }, optional: true },
      hidden: { type: "string", default: "web", display: { hidden: true } },
      secret: { type: "string", config: true },
    };
    const model = inputModel(definition, { defaults: { text: "b", shown: { inner: "c" }, secret: "s" } });
    const expected = { text: "b", count: 1.5, flag: true, pick: "y", shown: { inner: "c" }, hidden: "web" };
    expect(readObject(model, blankForm(model, notation))).toEqual(expected);
  });
});

describe("the form model and the page that the server draws", () => {
  it("have the same fields in the same order, with the same labels and the same presets", () => {
    const names = (fields: readonly FormField[]): unknown[] =>
      fields.map(({ name, label, preset, fields: inner }) => [name.split("/").at(-1), label, preset, names(inner)]);
    const shown = ({ fields }: ObjectShape): unknown[] =>
      fields
        .filter(({ isHidden }) => !isHidden)
        .map(({ key, label, preset, shape }) => [
          key.replaceAll("~", "~0").replaceAll("/", "~1"),
          label,
          preset,
          shape.kind === "object" ? shown(shape) : [],
        ]);
    fc.assert(
      fc.property(formWithInput, ({ definition }) => {
        const model = inputModel(definition);
        expect(model.kind === "object" ? shown(model) : []).toEqual(names(formFieldsOf(definition, {})));
      }),
    );
  });

  it("give the same values for the same answers", () => {
    fc.assert(
      fc.property(formWithInput, ({ definition, input }) => {
        const model = inputModel(definition);
        const defined = definedOnly(definition, input);
        const read = readObject(model, fillForm(model, defined, notation));
        const fields = formFieldsOf(definition, {});
        const submitted = valuesOf(fields, answers(fields, defined), true);
        const ofPage = checked(definition, submitted);
        expect(ofPage.errors).toEqual([]);
        expect(checked(definition, read).values).toEqual(ofPage.values);
      }),
    );
  });
});

/** The page has no controls for further values. */
const definedOnly = (definition: InputDefinition, values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]): [string, JsonValue][] => {
      const field = Object.hasOwn(definition, key) ? definition[key] : undefined;
      if (field === undefined) return [];
      if (field.type !== "object" || !isRecord(value)) return [[key, value]];
      return [[key, definedOnly(field.fields, value as JsonObject)]]; // part of JSON
    }),
  );

/** The texts with which a person gives these values on the page. */
function answers(fields: readonly FormField[], values: JsonObject): Map<string, string[]> {
  return new Map(
    fields.flatMap(({ name, field, fields: inner }): [string, string[]][] => {
      const key = name
        .slice(name.lastIndexOf("/") + 1)
        .replaceAll("~1", "/")
        .replaceAll("~0", "~");
      const value = values[key];
      if (value === undefined) return [];
      if (inner.length > 0 && isRecord(value)) return [...answers(inner, value as JsonObject)]; // part of JSON
      if (field.type === "object") return [[name, [JSON.stringify(value)]]];
      if (!Array.isArray(value)) return [[name, [String(value)]]];
      const isChecked = field.type === "select" || ("list" in field && field.list !== undefined);
      const isOpen = field.type === "select" && field.additional_options === true;
      return [[name, isChecked && !isOpen ? value.map(String) : [value.map(String).join("\n")]]];
    }),
  );
}

describe("errors of the server", () => {
  it("are placed at the fields that they are about", () => {
    fc.assert(
      fc.property(formWithInput, ({ definition, input }) => {
        const model = inputModel(definition);
        const wrong = Object.fromEntries(Object.keys(input).map((key) => [key, [["no such"]]]));
        const entry = fillForm(model, wrong, notation);
        const { errors } = checked(definition, readObject(model, entry));
        const placed = placeErrors(model, entry, errors);
        expect(errors.length).toBeGreaterThan(0);
        expect(placed.filter(({ place }) => place === null)).toEqual([]);
        for (const { place } of placed) expect(hasControl(model, place ?? "")).toBe(true);
      }),
    );
  });

  it("are placed at rows as the form counts them, and name the labels on the way", () => {
    const model = inputModel({
      items: { type: "object", name: "Items", array: true, fields: { price: { type: "number", name: "Price" } } },
      notes: { type: "string", name: "Notes", array: true },
    });
    const filled = fillForm(model, { items: [{ price: 1 }], notes: ["a", "b"] }, notation);
    if (filled.kind !== "object" || filled.fields["notes"]?.kind !== "list") throw new Error("no list");
    const { rows } = filled.fields["notes"];
    const withGap = { id: 9, entry: { kind: "text" as const, text: "" } };
    const notes = { kind: "list" as const, rows: [withGap, ...rows] };
    const entry: Entry = { ...filled, fields: { ...filled.fields, notes } };
    const errors = ["/input/items/0/price", "/input/notes/1", "/input/other", "/tags/0", ""].map((pointer) => ({
      pointer,
      message: "No.",
    }));
    expect(placeErrors(model, entry, errors, "/input").map(({ place, labels }) => [place, labels])).toEqual([
      ["/items/0/price", ["Items", "1", "Price"]],
      ["/notes/2", ["Notes", "3"]],
      [null, ["other"]],
      [null, ["/tags/0"]],
      [null, []],
    ]);
  });
});

function hasControl(shape: Shape, place: string): boolean {
  const [, part = "", ...rest] = place.split("/");
  if (place === "") return true;
  const below = rest.length === 0 ? "" : `/${rest.join("/")}`;
  if (shape.kind === "list") return hasControl(shape.item, below);
  if (shape.kind !== "object") return false;
  const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
  const field = shape.fields.find((one) => one.key === key);
  return field !== undefined && hasControl(field.shape, below);
}
