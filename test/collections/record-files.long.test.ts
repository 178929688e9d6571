/** Files in records, as rules, steps, triggers and events see them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createShowFiles } from "../../src/collections/records/files/show-files.ts";
import {
  type CollectionRecord,
  type InputDefinition,
  isRecordFile,
  type JsonValue,
  type Step,
} from "../../src/index.ts";
import type { Extractor } from "../../src/ports/extractor.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";

const extractor: Extractor = {
  name: "a test extractor",
  maxSize: 1_000_000,
  supports: () => true,
  async extract({ bytes }, { images }) {
    const image = { name: "seal.png", mime_type: "image/png", bytes: new Uint8Array([1, 2, 3]) };
    return { text: new TextDecoder().decode(bytes), images: images ? [image] : [] };
  },
  close: async () => {},
};

let clock: TestClock;
let t: TestService;
beforeEach(async () => {
  clock = createTestClock();
  t = await createTestService({ clock, extractor });
});
afterEach(() => t.close());

async function workflow(steps: Step[]): Promise<string> {
  const { id } = await t.stepwell.workflows.create(t.app, { name: "Rule", steps });
  await t.stepwell.workflows.deploy(t.app, id);
  return id;
}

const object = (fields: InputDefinition) => ({ type: "object", fields, additional_fields: true }) as const;
const contract = { type: "file", extract_contents: true, extract_images: true } as const;
const ofLoan = (fields: InputDefinition): InputDefinition => ({
  record: object({ data: object({ loan: object(fields) }) }),
});

/** A collection whose rule passes if `code` is true. */
async function withRule(input: InputDefinition, code: string) {
  const steps: Step[] = [
    { type: "input", key: "in", input, destinations: ["check"] },
    { type: "code", key: "check", code: `const { loan } = input.record.data; return ${code}` },
  ];
  const rule = { key: "r", name: "R", workflow_id: await workflow(steps), on_fail: "FAIL" } as const;
  return (await t.stepwell.collections.create(t.app, { name: "Loans", config: { rules: [rule] } })).id;
}

const create = (collection: string, loan: Record<string, JsonValue>) =>
  t.stepwell.records.create(t.app, collection, { data: { loan } });
const results = ({ rule_results }: CollectionRecord) => rule_results.map(({ result, error }) => error?.code ?? result);

describe("a rule", () => {
  it("gets the text and the images of a record's file in a file field, as a run that is started with its id", async () => {
    const file_id = await t.upload("contract.txt", "signed by Ada");
    const steps: Step[] = [{ type: "input", key: "in", input: { contract } }];
    const { output } = await t.run({ steps }, { contract: file_id });
    const expected = JSON.stringify(output);
    expect(expected).toContain("signed by Ada");
    expect(expected).toContain("seal.png");
    // The images of another run are other files.
    const code = `(${(
      (loan: { contract: [object] }, given: string) => {
        const { images, ...read } = loan.contract[0] as { images: { name: string }[] };
        const { images: other, ...wanted } = JSON.parse(given).contract[0];
        return JSON.stringify(read) === JSON.stringify(wanted) && images[0]?.name === other[0].name;
      }
    ).toString()})(loan, ${JSON.stringify(expected)})`;
    const collection = await withRule(ofLoan({ contract }), code);
    expect(results(await create(collection, { contract: { file_id } }))).toEqual(["PASS"]);
  });

  it("gets several files in order", async () => {
    const ids = [await t.upload("a.txt", "first"), await t.upload("b.txt", "second")];
    const collection = await withRule(
      ofLoan({ documents: { ...contract, array: true } }),
      "loan.documents.map(({ contents }) => contents).join() === 'first,second'",
    );
    const record = await create(collection, { documents: ids.map((file_id) => ({ file_id })) });
    expect(results(record)).toEqual(["PASS"]);
  });

  it("gets name and type of the file where its input accepts any record", async () => {
    const file_id = await t.upload("contract.txt", "signed");
    const collection = await withRule(
      {},
      "loan.contract.file.name === 'contract.txt' && loan.contract.file.size === 6",
    );
    expect(results(await create(collection, { contract: { file_id } }))).toEqual(["PASS"]);
  });

  it("gets null for an optional file, and gives ERROR for a missing, deleted or unfitting one", async () => {
    const file_id = await t.upload("contract.txt", "signed");
    const optional = await withRule(ofLoan({ contract: { ...contract, optional: true } }), "loan.contract === null");
    expect(results(await create(optional, { number: 1 }))).toEqual(["PASS"]);
    const required = await withRule(ofLoan({ contract }), "true");
    expect(results(await create(required, { number: 1 }))).toEqual(["invalid"]);
    const record = await create(required, { contract: { file_id } });
    await t.stepwell.files.remove(t.app, file_id);
    const after = await t.stepwell.records.evaluate(t.app, required, record.id);
    expect(results(after)).toEqual(["invalid"]);
    expect(after.rule_results[0]?.error?.message).toContain("/input/record/data/loan/contract: There is no file");
    const image = await withRule(ofLoan({ contract: { type: "file", allowed_types: ["image/*"] } }), "true");
    const text = await t.upload("contract.txt", "signed");
    expect(results(await create(image, { contract: { file_id: text } }))).toEqual(["invalid"]);
  });

  it("with `when` runs again when another file is referred to, not when the file is renamed", async () => {
    const [a, b] = [await t.upload("a.txt", "a"), await t.upload("b.txt", "b")];
    const collection = await withRule({}, "true");
    await t.stepwell.rules.update(t.app, collection, "r", { when: ["loan:contract"] });
    const first = await create(collection, { contract: { file_id: a } });
    await t.stepwell.files.update(t.app, a, { name: "renamed.txt" });
    const update = (loan: Record<string, JsonValue>) =>
      t.stepwell.records.update(t.app, collection, first.id, { data: { loan } });
    const [same] = (await update({ number: 2 })).rule_results;
    expect(same?.run_id).toBe(first.rule_results[0]?.run_id);
    const [other] = (await update({ contract: { file_id: b } })).rule_results;
    expect(other?.run_id).not.toBe(same?.run_id);
  });
});

it("a step writes the file that another step created, and reads it from the record", async () => {
  const { id: collection_id } = await t.stepwell.collections.create(t.app, { name: "Loans" });
  const service = (key: string, service: string, action: string, input: object, next: string[] = []): Step => ({
    type: "service",
    key,
    service: { service, action, input: { ...input } },
    destinations: next,
  });
  const data = { loan: { letter: { file_id: "{{ steps.letter.output.id }}" } } };
  const run = await t.run([
    service("letter", "files", "create", { name: "letter.txt", text: "Dear Ada" }, ["write"]),
    service("write", "records", "create", { collection_id, data }, ["read"]),
    service("read", "files", "read", { file_id: "{{ steps.write.output.data.loan.letter.file.id }}" }),
  ]);
  expect(run.error).toBeNull();
  expect(run.output).toMatchObject({ name: "letter.txt", text: "Dear Ada" });
});

it("a mapping of a trigger with the type file writes files by their ids", async () => {
  const field = (name: string, type: string) => ({ type, entity_path: `loan:${name}`, input_path: [name], name });
  const mappings = [field("contract", "file"), field("documents", "file"), field("plain", "field")];
  const { id, triggers } = await t.stepwell.collections.create(t.app, {
    name: "Loans",
    triggers: [{ type: "webhook", name: "Loans", config: { type: "webhook", mappings } }],
  });
  const trigger = triggers[0]?.id ?? "";
  const [a, b] = [await t.upload("a.txt", "a"), await t.upload("b.txt", "b")];
  async function deliver(data: Record<string, JsonValue>) {
    const delivery = await t.stepwell.triggers.test(t.app, id, trigger, { data });
    const read = () => t.stepwell.triggers.getDelivery(t.app, id, trigger, delivery.id);
    await expect.poll(async () => (await read()).status).not.toBe("pending");
    const { status, reason, record_id } = await read();
    const record = record_id === null ? null : await t.stepwell.records.get(t.app, id, record_id);
    return { status, reason: reason?.message, loan: record?.data["loan"] };
  }
  const given = { contract: a, documents: [a, b], plain: { file_id: b } };
  const { loan } = await deliver(given);
  expect(loan).toMatchObject({
    contract: { file_id: a, file: { name: "a.txt" } },
    documents: [{ file: { name: "a.txt" } }, { file: { name: "b.txt" } }],
    plain: { file_id: b, file: { name: "b.txt" } },
  });
  for (const contract of ["afile_none", 7, { id: a }, [a, 7]]) {
    const { status, reason } = await deliver({ contract });
    expect(status).toBe("failed");
    expect(reason).toMatch(/There is no file with the id|must be the id of a file, or a list of ids/);
  }
});

it("events carry the references", async () => {
  const seen: unknown[] = [];
  t.stepwell.on("record.created", ({ data }) => void seen.push(data));
  const file_id = await t.upload("a.txt", "a");
  const { id } = await t.stepwell.collections.create(t.app, { name: "Loans" });
  for (let n = 0; n < 3; n++) await create(id, { n, contract: { file_id } });
  await expect.poll(() => seen.length).toBe(3);
  expect(seen[0]).toMatchObject({ data: { loan: { contract: { file_id } } } });
  expect(JSON.stringify(seen)).not.toContain("a.txt");
});

it("a page of records looks up each file once, and nothing without references", async () => {
  const asked: (readonly string[])[] = [];
  const show = createShowFiles(async (_, ids) => {
    asked.push(ids);
    return ids.map(() => null);
  });
  const plain = { loan: { number: 1, chat: { file_id: "F1", title: "x" } } };
  expect(await show("app_1", [plain, plain])).toEqual([plain, plain]);
  expect(asked).toEqual([]);
  const loan = { contract: { file_id: "afile_1" }, letter: { file_id: "afile_2" } };
  const shown = { contract: { file_id: "afile_1", file: null }, letter: { file_id: "afile_2", file: null } };
  expect(await show("app_1", [{ loan }, plain, { loan }])).toEqual([{ loan: shown }, plain, { loan: shown }]);
  expect(asked).toEqual([["afile_1", "afile_2"]]);
});

it("isRecordFile narrows a value of a record to its file", async () => {
  const { stepwell, app } = t;
  const { id: file_id } = await stepwell.files.create(app, { name: "a.txt", body: new Uint8Array([65]) });
  const { id } = await stepwell.collections.create(app, { name: "Loans" });
  const data = {
    loan: { contract: { file_id }, other: { file_id, file: "x" }, note: "x", none: { file_id: 1, file: null } },
  };
  const created = await stepwell.records.create(app, id, { data: { loan: { contract: { file_id } } } });
  const contract = created.data["loan"]?.["contract"];
  expect(isRecordFile(contract) && contract.file?.name).toBe("a.txt");
  await stepwell.files.remove(app, file_id);
  const { contract: gone } = (await stepwell.records.get(app, id, created.id)).data["loan"] ?? {};
  expect(isRecordFile(gone) && gone.file).toBeNull();
  expect([...Object.values(data.loan), null, undefined].filter(isRecordFile)).toEqual([]);
});
