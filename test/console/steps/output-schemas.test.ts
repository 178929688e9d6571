/** What the values to insert offer of files. */
import { describe, expect, it } from "vitest";
import { valueSchema } from "../../../adapters/console/app/expressions/output-schemas.ts";

const FIELDS = ["id", "name", "size", "mime_type", "sha256"];

describe("a file that steps read", () => {
  it.each([
    [{}, FIELDS],
    [{ extract_contents: true }, [...FIELDS, "contents"]],
    [{ extract_images: true }, [...FIELDS, "images"]],
    [{ extract_contents: true, extract_images: true }, [...FIELDS, "contents", "images"]],
  ])("of a field with %j has the fields %j", (settings, fields) => {
    const schema = valueSchema({ document: { type: "file", ...settings } });
    const items: unknown = Reflect.get(Object(Reflect.get(Object(schema["properties"]), "document")), "items");
    expect(Object.keys(Object(Reflect.get(Object(items), "properties")))).toEqual(fields);
  });
});
