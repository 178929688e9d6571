/** JSON text that a person types: what it says, and where problems stand in it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rangeOf } from "../../../adapters/console/app/code-editor/json-place.ts";
import { jsonErrorAt, linePlace } from "../../../adapters/console/app/code-editor/json-syntax.ts";
import { readDefinition } from "../../../adapters/console/app/editor/json/read-definition.ts";

/** The value of a pointer, by walking the value itself. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, part) => (typeof at === "object" && at !== null ? Reflect.get(at, part) : undefined),
    value,
  );
}

function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...path, name]))];
}

describe("rangeOf", () => {
  it("finds every value of any JSON, however it is written", () => {
    const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
        const text = ` ${JSON.stringify(value, null, indent)}\n`;
        const plain: unknown = JSON.parse(text);
        for (const path of pathsOf(plain)) {
          const pointer = path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
          const range = rangeOf(text, pointer);
          expect(JSON.parse(text.slice(range?.from, range?.to))).toEqual(valueAt(plain, path));
        }
      }),
    );
  });

  it("stops at the nearest value for a pointer to nothing", () => {
    const text = '{"a": [1, {"b": 2}]}';
    expect(rangeOf(text, "/a/1/x/y")).toEqual({ from: 10, to: 18 });
    expect(rangeOf(text, "/a/7")).toEqual({ from: 6, to: 19 });
  });

  it("ends for text that is no JSON", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (text, pointer) => void rangeOf(text, pointer)));
    expect(rangeOf("{", "/a")).toBeNull();
  });
});

describe("jsonErrorAt", () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  /** JSON with a character replaced, left out or added, which is often no JSON any more. */
  const nearlyJson = fc
    .tuple(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(0, 1),
      fc.nat(),
      fc.constantFrom("", ...'{}[]:,"\\0-1.eE+utfn \n\t\u00a0\u0007'),
      fc.boolean(),
    )
    .map(([value, indent, place, sign, replaces]) => {
      const text = JSON.stringify(value, null, indent);
      const at = place % (text.length + 1);
      return text.slice(0, at) + sign + text.slice(at + (replaces ? 1 : 0));
    });

  it("finds a mistake exactly in texts that are no JSON", () => {
    fc.assert(
      fc.property(fc.oneof(nearlyJson, fc.string()), (text) => {
        expect(jsonErrorAt(text) === null).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["", 0],
    ["{", 1],
    ["[1, x]", 4],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ["[1 2]", 3],
    ["[1]]", 3],
    ["[1}", 2],
    ['{"a": "b\nc"}'.replace("\\n", "\n"), 8],
    ['["\\x"]', 2],
    ["{a: 1}", 1],
    ["[1.]", 2],
  ])("in %j it is at %d", (text, at) => {
    expect(jsonErrorAt(text)).toBe(at);
  });

  it("reads text that is nested deeper than any stack", () => {
    expect(jsonErrorAt("[".repeat(200_000))).toBe(200_000);
  });

  it("says the line and the column", () => {
    expect(linePlace("a\nbc\nd", 0)).toEqual({ line: 1, column: 1 });
    expect(linePlace("a\nbc\nd", 3)).toEqual({ line: 2, column: 2 });
    expect(linePlace("a\nbc\nd", 6)).toEqual({ line: 3, column: 2 });
  });
});

describe("readDefinition", () => {
  it("gives omitted fields their empty values", () => {
    expect(readDefinition('{"steps": [{"type": "note", "key": "a", "note": ""}]}')).toEqual({
      definition: {
        input: {},
        input_default: null,
        input_options: null,
        steps: [{ type: "note", key: "a", note: "" }],
      },
    });
  });

  it("takes a definition that was downloaded with the name of its workflow", () => {
    expect(readDefinition('{"name": "Loans", "steps": []}')).toEqual({
      definition: { input: {}, input_default: null, input_options: null, steps: [] },
    });
    expect(readDefinition('{"name": 1, "steps": []}')).toMatchObject({ problems: [{ from: 9, to: 10 }] });
  });

  it("marks what is wrong in its place", () => {
    const text = '{"steps": [{"type": "note", "key": "a", "note": 1}]}';
    expect(readDefinition(text)).toEqual({
      problems: [{ from: 48, to: 49, message: expect.stringContaining("/steps/0/note") }],
    });
  });

  it("marks where the text stops being JSON", () => {
    expect(readDefinition('{"steps": [x]}')).toMatchObject({ problems: [{ from: 11, to: 12 }] });
    expect(readDefinition("[1,")).toMatchObject({ problems: [{ from: 2, to: 3 }] });
  });

  it.each(["", "{", '{"steps": }', "[]", '{"steps": 1}', '{"unknown": 1}'])(
    "refuses %j with a problem in the text",
    (text) => {
      const read = readDefinition(text);
      expect("problems" in read ? read.problems.length : 0).toBeGreaterThan(0);
    },
  );
});
