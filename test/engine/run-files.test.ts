/** Files in the input of a run: given by id, checked by content. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InputDefinition, InputField, JsonObject, JsonValue, Stepwell } from "../../src/index.ts";
import { isStepwellError } from "../../src/index.ts";
import { input, openService, type Service } from "../support/engine/service.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stepwell.close());

/** The value of a field in a step, or the errors with pointers and messages. */
async function seen(field: InputField, value: JsonValue): Promise<unknown> {
  const definition: InputDefinition = { f: field };
  const workflow = await service.deploy([input("in")], { input: definition });
  try {
    const { output, error } = await service.runOf(workflow, { f: value });
    return error ?? (output as JsonObject)["f"];
  } catch (error) {
    if (!isStepwellError(error, "invalid")) throw error;
    return error.errors.map(({ pointer, message }) => `${pointer}: ${message}`);
  }
}

const refused = (pattern: RegExp) => [expect.stringMatching(pattern)];

const upload = async (stepwell: Stepwell, app: string, name: string, content: string | Uint8Array): Promise<string> => {
  const { upload_url } = await stepwell.files.createUpload(app);
  const data = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const form = new FormData();
  form.set("file", new File([data as BlobPart], name));
  const response = await stepwell.fetch(new Request(upload_url, { method: "POST", body: form }));
  return ((await response.json()) as { id: string }).id;
};
const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (c) => c.charCodeAt(0),
);

it("file inputs take ids and give name, size, type and digest", async () => {
  const csv = await upload(service.stepwell, service.app, "a.csv", "a,b\n1,2\n");
  const shown = {
    id: csv,
    name: "a.csv",
    size: 8,
    mime_type: "text/csv",
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  };
  expect(await seen({ type: "file" }, [csv])).toEqual([shown]);
  expect(await seen({ type: "file" }, csv)).toEqual([shown]);
  expect(await seen({ type: "file", array: true }, [csv, csv])).toEqual([shown, shown]);
  expect(await seen({ type: "object", fields: { f: { type: "file" } } }, { f: [csv] })).toEqual({ f: [shown] });
  expect(await seen({ type: "file", optional: true }, null)).toBeNull();
});

it("file inputs reject too many files, unknown ids and files of other apps", async () => {
  const csv = await upload(service.stepwell, service.app, "a.csv", "a");
  const { id: other } = await service.stepwell.apps.create({ name: "Other" });
  const foreign = await upload(service.stepwell, other, "b.csv", "b");
  const { future_file_id } = await service.stepwell.files.createUpload(service.app);
  expect(await seen({ type: "file" }, [csv, csv])).toEqual(refused(/single file/));
  expect(await seen({ type: "file" }, [])).toEqual(refused(/at least one/));
  expect(await seen({ type: "file" }, [7])).toEqual(refused(/id of a file/));
  expect(await seen({ type: "file", array: true }, [csv, "afile_none", foreign, future_file_id])).toEqual([
    expect.stringMatching(/^\/input\/f\/1: There is no file with the id "afile_none"/),
    expect.stringMatching(/^\/input\/f\/2: There is no file with the id/),
    `/input/f/3: The file "${future_file_id}" has not been uploaded yet. ` +
      "Start the run after the upload, or set wait_for_files to true.",
  ]);
});

it("an input step rejects a file that has not been uploaded yet, and accepts it after the upload", async () => {
  const { stepwell, app } = service;
  const workflow = await service.deploy([
    input("in", { destinations: ["ask"] }),
    input("ask", { input: { f: { type: "file" } } }),
  ]);
  const { id } = await stepwell.runs.create(app, workflow);
  const { future_file_id, upload_url } = await stepwell.files.createUpload(app);
  const provide = () => stepwell.runs.provide(app, id, "ask", { f: [future_file_id] });
  await expect(provide()).rejects.toMatchObject({
    code: "invalid",
    message: `/f/0: The file "${future_file_id}" has not been uploaded yet. Provide the value after the upload.`,
  });
  await stepwell.files.receive(upload_url, { name: "a.csv", body: new TextEncoder().encode("a,b") });
  await provide();
  expect((await stepwell.runs.wait(app, id)).status).toBe("succeeded");
});

it("file inputs check allowed_types against the content, not the name", async () => {
  const png = await upload(service.stepwell, service.app, "picture.png", PNG);
  const fake = await upload(service.stepwell, service.app, "picture.png", "just text");
  const images: InputField = { type: "file", allowed_types: ["image/*"] };
  expect(await seen(images, [png])).toMatchObject([{ id: png, mime_type: "image/png" }]);
  expect(await seen(images, [fake])).toEqual(refused(/content of the file is text\/plain\. Allowed: image/));
  expect(await seen({ type: "file", allowed_types: ["text/csv", "application/pdf"] }, [png])).toEqual(
    refused(/image\/png/),
  );
  expect(await seen({ type: "file", allowed_types: ["*/*"] }, [fake])).toMatchObject([{ id: fake }]);
});

it("file inputs with extract_contents give the text, including in nested objects", async () => {
  const csv = await upload(service.stepwell, service.app, "a.csv", "a,b");
  const read: InputField = { type: "file", extract_contents: true };
  const contents = [{ id: csv, contents: "a,b" }];
  expect(await seen(read, [csv])).toMatchObject(contents);
  expect(await seen({ type: "object", fields: { inner: read } }, { inner: csv })).toMatchObject({ inner: contents });
  const rows: InputField = { type: "object", array: true, fields: { inner: read, n: { type: "number" } } };
  expect(await seen(rows, [{ inner: csv, n: 1 }])).toMatchObject([{ inner: contents, n: 1 }]);
});

it("extract_contents of an input step gives the text, or fails the step for an image", async () => {
  const csv = await upload(service.stepwell, service.app, "ä.csv", "a,b\n1,ü\n");
  const png = await upload(service.stepwell, service.app, "picture.png", PNG);
  const read: InputField = { type: "file", array: true, extract_contents: true };
  const workflow = await service.deploy([input("in", { input: { f: read } })]);
  const run = await service.runOf(workflow, { f: [csv, csv] });
  expect(run.output).toMatchObject({ f: [{ id: csv, contents: "a,b\n1,ü\n" }, { contents: "a,b\n1,ü\n" }] });
  expect((await service.runOf(workflow, { f: [png] })).error).toMatchObject({
    code: "unsupported_media_type",
    message: expect.stringMatching(/picture\.png.*image\/png/),
    step: "in",
  });
});

describe("extract_images", () => {
  const report = readFileSync(new URL("../files/documents/report.pdf", import.meta.url));
  const wanted: InputField = { type: "file", array: true, extract_contents: true, extract_images: true };

  it("stores images of a document as private files of the app and gives them with the text", async () => {
    const id = await upload(service.stepwell, service.app, "report.pdf", report);
    const workflow = await service.deploy([input("in", { input: { f: wanted } })]);
    const { output } = await service.runOf(workflow, { f: [id] });
    const [seen] = (output as { f: { contents: string; images: { id: string; sha256: string }[] }[] }).f;
    expect(seen?.contents.length).toBeGreaterThan(20);
    expect(seen?.images.length).toBeGreaterThan(0);
    for (const { id: imageId, sha256 } of seen?.images ?? []) {
      const file = await service.stepwell.files.get(service.app, imageId);
      expect(file).toMatchObject({ mime_type: expect.stringMatching(/^image\//), visibility: "PRIVATE", sha256 });
    }
  });

  it("gives an image file itself", async () => {
    const id = await upload(service.stepwell, service.app, "picture.png", PNG);
    const images: InputField = { type: "file", extract_images: true };
    expect(await seen(images, [id])).toMatchObject([{ id, images: [{ id, mime_type: "image/png" }] }]);
  });

  it("works for files provided to a waiting run, and reports a damaged document by pointer", async () => {
    const good = await upload(service.stepwell, service.app, "report.pdf", report);
    const bad = await upload(service.stepwell, service.app, "cut.pdf", report.subarray(0, report.length >> 1));
    const workflow = await service.deploy([
      input("in", { destinations: ["ask"] }),
      input("ask", { input: { f: wanted } }),
    ]);
    const { stepwell, app } = service;
    const { id } = await stepwell.runs.create(app, workflow);
    const refusedFile = stepwell.runs.provide(app, id, "ask", { f: [good, bad] });
    await expect(refusedFile).rejects.toMatchObject({ code: "invalid", errors: [{ pointer: "/f/1" }] });
    await stepwell.runs.provide(app, id, "ask", { f: [good] });
    const run = await stepwell.runs.wait(app, id);
    expect(run.output).toMatchObject({ f: [{ id: good, contents: expect.any(String), images: expect.any(Array) }] });
    expect((run.output as { f: { images: unknown[] }[] }).f[0]?.images.length).toBeGreaterThan(0);
  });
});
