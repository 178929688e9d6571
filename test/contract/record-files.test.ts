/** Files in records: references by id, checked when they are written, shown with name, size and type. */
import { expect, it } from "vitest";
import { describeEachTransport, Refusal, type TestHost } from "../support/http/transports.ts";

async function lending(host: TestHost, config: object = {}) {
  const { id: app } = await host.app();
  const { id } = await host.callApi("collections.create", app, { name: "Loans", config });
  const upload = async (name: string, text = name) =>
    host.stepwell.files.create(app, { name, body: new TextEncoder().encode(text) });
  const call = (name: string, ...given: unknown[]) => host.callApi(`records.${name}`, app, id, ...given);
  return { app, id, upload, call };
}

const shownAs = (id: string, name: string) => ({
  file_id: id,
  file: { id, name, size: name.length, mime_type: "text/plain", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
});

/** Code, pointers and messages of a refusal. */
async function refusal(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => expect.fail("it must be refused"),
    (error: unknown) => error,
  );
  if (!(error instanceof Refusal)) throw error;
  return [error.code, ...error.errors.map(({ pointer, message }) => `${pointer} ${message}`)];
}

describeEachTransport("files in records", (open) => {
  it("are shown with name, size and type by every function that returns records", async () => {
    const { upload, call } = await lending(open());
    const [a, b] = [await upload("a.txt"), await upload("b.txt")];
    const created = await call("create", {
      data: {
        loan: { number: "A-7", contract: { file_id: a.id }, documents: [{ file_id: b.id }, { file_id: a.id }] },
        person: { papers: { pass: { kind: "new", scan: { file_id: b.id } } } },
      },
    });
    const shown = {
      loan: {
        number: "A-7",
        contract: shownAs(a.id, "a.txt"),
        documents: [shownAs(b.id, "b.txt"), shownAs(a.id, "a.txt")],
      },
      person: { papers: { pass: { kind: "new", scan: shownAs(b.id, "b.txt") } } },
    };
    expect(created.data).toEqual(shown);
    expect((await call("get", created.id)).data).toEqual(shown);
    expect((await call("list")).items[0].data).toEqual(shown);
    expect((await call("list", { search: a.id })).items).toHaveLength(1);
    expect((await call("update", created.id, { data: { loan: { number: "A-8" } } })).data.loan.contract).toEqual(
      shown.loan.contract,
    );
    const upserted = await call("upsert", { path: "loan:number", value: "A-8", data: { loan: { contract: null } } });
    expect(upserted.data.loan.contract).toBeUndefined();
    const { outcomes } = await call("bulk", {
      operations: [{ op: "create", data: { loan: { contract: { file_id: a.id } } } }],
    });
    expect(outcomes[0].record.data.loan.contract).toEqual(shown.loan.contract);
  });

  it("can be written back as they were read, without a new version", async () => {
    const { upload, call } = await lending(open());
    const a = await upload("a.txt");
    const { id, data } = await call("create", { data: { loan: { contract: { file_id: a.id } } } });
    expect((await call("update", id, { data })).version).toBe(1);
    const renamed = { loan: { contract: { file_id: a.id, file: { name: "forged.exe" } } } };
    expect((await call("update", id, { data: renamed })).data).toEqual(data);
  });

  it("must exist in the app, and have been uploaded", async () => {
    const host = open();
    const { app, upload, call } = await lending(host);
    const other = await lending(host);
    const [own, foreign] = [await upload("a.txt"), await other.upload("b.txt")];
    const { future_file_id } = await host.stepwell.files.createUpload(app);
    const data = {
      loan: { own: { file_id: own.id }, foreign: { file_id: foreign.id }, list: [{ file_id: own.id }, { file_id: 7 }] },
      "a/b": { future: { file_id: future_file_id }, none: { file_id: "../x" } },
    };
    const errors = [
      "invalid",
      `/data/loan/foreign/file_id There is no file with the id "${foreign.id}".`,
      "/data/loan/list/1/file_id Must be the id of a file.",
      `/data/a~1b/future/file_id The file "${future_file_id}" has not been uploaded yet. Write the record after the upload.`,
      '/data/a~1b/none/file_id There is no file with the id "../x".',
    ];
    expect(await refusal(call("create", { data }))).toEqual(errors);
    const record = await call("create", { data: { loan: { number: "A-7" } } });
    expect(await refusal(call("update", record.id, { data }))).toEqual(errors);
    const upsert = { path: "loan:number", value: "A-7", data };
    expect(await refusal(call("upsert", upsert))).toEqual(errors);
    expect(await refusal(call("upsert", { ...upsert, value: "A-8" }))).toEqual(errors);
    const { outcomes } = await call("bulk", { operations: [{ op: "create", data }] });
    expect(outcomes[0].error.errors[0].pointer).toBe("/operations/0/data/loan/foreign/file_id");
    expect(await call("get", record.id)).toEqual(record);
  });

  it("are data if the object has other fields", async () => {
    const { call } = await lending(open());
    const data = { chat: { shared: { file_id: "F123", title: "x" }, file_id: "F124" }, file_id: { a: 1 } };
    expect((await call("create", { data })).data).toEqual(data);
  });

  it("are at most 100 in a record, including those that mappings copy", async () => {
    const mappings = [{ source_path: "loan:contract", destination_paths: ["letter:contract"] }];
    const { upload, call } = await lending(open(), { mappings });
    const { id } = await upload("a.txt");
    const files = (count: number) => Array(count).fill({ file_id: id });
    const mapped = await call("create", { data: { loan: { contract: { file_id: id } } } });
    expect(mapped.data.letter.contract).toEqual(shownAs(id, "a.txt"));
    expect((await call("create", { data: { loan: { contract: files(50) } } })).data.letter.contract).toHaveLength(50);
    const tooMany = ["invalid", "/data Must refer to at most 100 files, including the references that mappings copy."];
    expect(await refusal(call("create", { data: { loan: { contract: files(51) } } }))).toEqual(tooMany);
    expect(await refusal(call("update", mapped.id, { data: { loan: { other: files(99) } } }))).toEqual(tooMany);
    expect(await refusal(call("create", { data: { loan: { other: files(10_000) } } }))).toEqual(tooMany);
  });

  it("are shown as null once they are deleted, while the record stays as it is", async () => {
    const host = open();
    const { app, upload, call } = await lending(host);
    const [a, b] = [await upload("a.txt"), await upload("b.txt")];
    const { id } = await call("create", { data: { loan: { contract: { file_id: a.id }, letter: { file_id: b.id } } } });
    await host.callApi("files.update", app, b.id, { name: "renamed.txt" });
    await host.callApi("files.remove", app, a.id);
    const read = await call("get", id);
    expect(read.version).toBe(1);
    expect(read.data.loan).toEqual({
      contract: { file_id: a.id, file: null },
      letter: { file_id: b.id, file: { ...shownAs(b.id, "b.txt").file, name: "renamed.txt" } },
    });
    expect((await call("list")).items).toEqual([read]);

    // The record keeps the reference that it has, and gets no other one.
    const moved = { data: { ...read.data, loan: { ...read.data.loan, copy: { file_id: a.id } } } };
    expect((await call("update", id, moved)).data.loan.copy).toEqual({ file_id: a.id, file: null });
    expect(await refusal(call("create", { data: { loan: { contract: { file_id: a.id } } } }))).toHaveLength(2);
    await call("update", id, { data: { loan: { contract: null, copy: null } } });
    expect(await refusal(call("update", id, moved))).toHaveLength(3);
  });

  it("are references in the history, and have the file in an earlier version", async () => {
    const { upload, call } = await lending(open());
    const a = await upload("a.txt");
    const { id } = await call("create", { data: { loan: { contract: { file_id: a.id } } } });
    await call("update", id, { data: { loan: { contract: null } } });
    const { items } = await call("history", id);
    const reference = { file_id: a.id };
    expect(items.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      [{ path: "loan:contract", before: reference, after: null }],
      [{ path: "loan:contract", before: null, after: reference }],
    ]);
    expect((await call("get", id, { version: 1 })).data.loan.contract).toEqual(shownAs(a.id, "a.txt"));
  });
});
