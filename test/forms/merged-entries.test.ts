/** What was typed into a form goes over into another state of it. */
import { describe, expect, it } from "vitest";
import type { Entry, ObjectEntry } from "../../src/forms/model/entry.ts";
import { inputModel } from "../../src/forms/model/input-model.ts";
import { mergedEntry } from "../../src/forms/model/merge-entries.ts";
import { createNotation } from "../../src/forms/model/notation.ts";
import { readForm } from "../../src/forms/model/read-entry.ts";

const notation = createNotation("en");
const text = (value: string): Entry => ({ kind: "text", text: value });

function object(fields: Readonly<Record<string, Entry>>, extra: Readonly<Record<string, string>> = {}): ObjectEntry {
  const rows = Object.entries(extra).map(([name, value], id) => ({ id, name, entry: text(value) }));
  return { kind: "object", fields, extra: rows };
}

describe("a form that was stored while somebody typed", () => {
  it("keeps what was typed since, and takes the rest", () => {
    const sent = object({ a: text("1"), b: text("1"), in: object({ c: text("1"), d: text("1") }) });
    const now = object({ a: text("2"), b: text("1"), in: object({ c: text("2"), d: text("1") }) });
    const stored = object({ a: text("9"), b: text("9"), in: object({ c: text("9"), d: text("9") }) });
    const wanted = object({ a: text("2"), b: text("9"), in: object({ c: text("2"), d: text("9") }) });
    expect(mergedEntry(sent, now, stored)).toEqual(wanted);
    expect(mergedEntry(sent, sent, stored)).toBe(stored);
  });

  it("does so for further values, by their names", () => {
    const sent = object({}, { kept: "1", typed: "1", taken: "1", gone: "1" });
    const now = { ...sent, extra: sent.extra.filter(({ name }) => name !== "gone") };
    const typed = now.extra.map((row) => (row.name === "typed" ? { ...row, entry: text("2") } : row));
    const rows = [...typed, { id: 7, name: "own", entry: text("2") }];
    const stored = object({}, { added: "9", kept: "9", typed: "9", gone: "9" });
    const found = mergedEntry(sent, { ...now, extra: rows }, stored);
    const extra = found.kind === "object" ? found.extra : [];
    expect(extra.map(({ name, entry }) => [name, entry.kind === "text" ? entry.text : ""])).toEqual([
      ["kept", "9"],
      ["typed", "2"],
      ["own", "2"],
      ["added", "9"],
    ]);
    expect(new Set(extra.map(({ id }) => id)).size).toBe(extra.length);
  });

  it("stands where it was written as JSON since", () => {
    const now: Entry = { kind: "raw", text: "{" };
    expect(mergedEntry(object({ a: text("1") }), now, object({ a: text("9") }))).toBe(now);
  });
});

it("half of a date is a problem", () => {
  const model = inputModel({ born: { type: "date", optional: true } });
  const half = object({ born: { kind: "text", text: "", isUnfinished: true } });
  expect(readForm(model, half, notation).problems).toEqual([{ place: "/born", code: "unfinished" }]);
});
