/** Types of the data that callers write to records. */
import { describe, it } from "vitest";
import {
  createStepwell,
  type JsonValue,
  type RecordCreate,
  type RecordData,
  type RecordUpdate,
} from "../../src/index.ts";

interface Loan {
  number: string;
  amount: number;
  parts?: Part[];
  contract: { file_id: string };
}
interface Part {
  n: number;
}
interface Data {
  loan: Loan;
}

declare const loan: Loan;
declare const data: Data;
declare const create: RecordCreate;
declare const update: RecordUpdate;
declare const read: RecordData;
declare const loose: Record<string, Record<string, JsonValue>>;
const { records } = createStepwell();
const created = (input: RecordCreate) => records.create("app", "coll", input);

describe("the data of a record", () => {
  it("may be an interface, as a whole, as an entity, and below", () => {
    void records.create("app", "coll", { data });
    void records.create("app", "coll", { data: { loan, other: { a: loan.contract, b: [loan.parts?.[0]?.n ?? 0] } } });
    void records.update("app", "coll", "rec", { data: { loan, other: null }, expected_version: 1 });
    void records.upsert("app", "coll", { path: "loan:number", value: "A-7", data });
  });

  it("may be a literal or of the exported types", () => {
    void created(create);
    void records.create("app", "coll", {});
    void records.create("app", "coll", { data: loose, tags: ["tag_1"] });
    void records.create("app", "coll", { data: read });
    void records.create("app", "coll", { data: { loan: { a: "b", c: null, d: [1, { e: 2 }] } }, key: "k" });
    void records.update("app", "coll", "rec", update);
    void records.update("app", "coll", "rec", { data: { loan: null, other: { a: null } } });
  });

  it("must be JSON in entities", () => {
    // @ts-expect-error a date is no JSON
    void records.create("app", "coll", { data: { loan: { at: new Date() } } });
    // @ts-expect-error a function is no JSON
    void records.create("app", "coll", { data: { loan: { at: () => 1 } } });
    // @ts-expect-error undefined is no JSON
    void records.create("app", "coll", { data: { loan: { at: undefined } } });
    // @ts-expect-error a field without an entity
    void records.create("app", "coll", { data: { number: "A-7" } });
    // @ts-expect-error a list is no entity
    void records.create("app", "coll", { data: { loan: [1] } });
    // @ts-expect-error only an update removes an entity
    void records.create("app", "coll", { data: { loan: null } });
    // @ts-expect-error no such field
    void records.create("app", "coll", { dat: {} });
    // @ts-expect-error path and value are missing
    void records.upsert("app", "coll", { data });
  });
});
