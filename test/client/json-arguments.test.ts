/** What JSON would change is refused as in process, instead of being sent as something else. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientOptions, StepwellError } from "../../src/client/index.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";

let mounted: Mounted;
let collectionId: string;
let recordId: string;

const LOAN = { loan: { amount: 100, rate: 2 } };

beforeAll(async () => {
  mounted = await openMounted();
  const { stepwell, app } = mounted;
  collectionId = (await stepwell.collections.create(app, { name: "Loans" })).id;
  recordId = (await stepwell.records.create(app, collectionId, { data: LOAN })).id;
});
afterAll(() => mounted.close());

/** A client that counts its requests. */
function counting() {
  let requests = 0;
  const send: ClientOptions["fetch"] = (url, init) => {
    requests++;
    return fetch(url, init);
  };
  return { client: mounted.client({ fetch: send }), requests: () => requests };
}

async function refusal(call: Promise<unknown>): Promise<object> {
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof StepwellError))
    throw new Error("Resolves, or rejects with no StepwellError", { cause: error });
  const { code, message, errors } = error;
  return { code, message, errors };
}

/** A call that the compiler does not check. */
type Unchecked = Record<"update" | "list", (...given: readonly unknown[]) => Promise<unknown>>;

describe("a body", () => {
  const sparse: unknown[] = [];
  sparse[1] = 1;
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;

  it.each<[string, unknown]>([
    ["NaN", Number("12,5")],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["a BigInt", 1n],
    ["a function", () => 1],
    ["a function in an array", [() => 1]],
    ["undefined in an array", [undefined]],
    ["an array with a hole", sparse],
    ["a Map", new Map([[1, 2]])],
    ["a Set", new Set([1])],
    ["a Date", new Date(0)],
    ["a RegExp", /x/],
    ["an Error", new Error("x")],
    ["bytes", new Uint8Array(2)],
    ["an object with toJSON", { toJSON: () => 5 }],
    ["an object in a circle", circular],
  ])("with %s is refused as in process, and not sent", async (_, amount) => {
    const { stepwell, app } = mounted;
    const { client, requests } = counting();
    const update = (records: Unchecked) => records.update(app, collectionId, recordId, { data: { loan: { amount } } });
    const found = await refusal(update(Object(client).records));
    expect(found).toEqual(await refusal(update(Object(stepwell).records)));
    expect(found).toMatchObject({ code: "invalid" });
    expect(requests()).toBe(0);
    expect((await stepwell.records.get(app, collectionId, recordId)).data).toEqual(LOAN);
  });

  it.each([Number.NaN, new Map()])("that is %s itself is refused as in process", async (body) => {
    const { stepwell, app } = mounted;
    const update = (records: Unchecked) => refusal(records.update(app, collectionId, recordId, body));
    expect(await update(Object(mounted.client()).records)).toEqual(await update(Object(stepwell).records));
  });

  it("whose properties cannot be read is refused", async () => {
    const body = {
      get data(): object {
        throw new Error("SECRET");
      },
    };
    const found = await refusal(mounted.client().records.update(mounted.app, collectionId, recordId, body));
    expect(found).toMatchObject({ code: "invalid" });
    expect(JSON.stringify(found)).not.toContain("SECRET");
  });

  it("omits properties that are undefined", async () => {
    const { app, client, stepwell } = mounted;
    const data = { loan: { amount: 100, rate: undefined } };
    const update = (records: Unchecked) => records.update(app, collectionId, recordId, { data });
    await update(Object(client()).records);
    expect((await stepwell.records.get(app, collectionId, recordId)).data).toEqual(LOAN);
  });
});

describe("a query", () => {
  it.each<[string, unknown]>([
    ["the condition NaN", { filter: [{ field: "loan:amount", value: Number.NaN }] }],
    ["a Map of conditions", { filter: new Map() }],
    ["a BigInt", { take: 1n }],
  ])("with %s is refused as in process, and not sent", async (_, query) => {
    const { client, requests } = counting();
    const list = (records: Unchecked) => refusal(records.list(mounted.app, collectionId, query));
    const found = await list(Object(client).records);
    expect(found).toEqual(await list(Object(mounted.stepwell).records));
    expect(found).toMatchObject({ code: "invalid", errors: [{ in: "query" }] });
    expect(requests()).toBe(0);
  });
});
