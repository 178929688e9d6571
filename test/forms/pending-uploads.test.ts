/** The files that a form has to wait for. */
import { expect, it } from "vitest";
import type { Entry } from "../../src/forms/model/entry.ts";
import { pendingUploads } from "../../src/forms/model/pending-uploads.ts";

const files = (id: string, uploadUrl: string | null, isDeleted = false): Entry => ({
  kind: "files",
  files: [{ id, name: "a.txt", size: 1, type: "", uploadUrl, isDeleted }],
});

it("are found in objects, lists, further values and the variant that is chosen", () => {
  const url = "https://example.com/upload";
  const list: Entry = { kind: "list", rows: [{ id: 1, entry: files("row", url) }] };
  const variants: Entry = { kind: "variants", chosen: 1, entries: { 0: files("other", url), 1: files("chosen", url) } };
  const entry: Entry = {
    kind: "object",
    fields: { stored: files("stored", null), gone: files("gone", url, true), list, variants },
    extra: [{ id: 1, name: "more", entry: files("extra", url) }],
  };
  expect(pendingUploads(entry)).toEqual(["row", "chosen", "extra"]);
  expect(pendingUploads({ kind: "variants", chosen: null, entries: { 0: files("other", url) } })).toEqual([]);
});
