/** Finding records by conditions on fields, rules and times, in process and over HTTP. */
import { expect, it } from "vitest";
import { describeEachTransport, type Refusal, type TestHost } from "../support/http/transports.ts";

const WHO = [
  { amount: 5, name: "ada", open: true },
  { amount: 30, name: "Bob", open: false },
  { amount: "30", name: "été", tags: ["x", 7] },
  { amount: -2.5 },
  {},
];

async function loansIn(host: TestHost, input: object = {}) {
  const { id: app } = await host.app();
  const { id } = await host.callApi("collections.create", app, { name: "Loans", ...input });
  const names = new Map<string, string>();
  for (const [index, loan] of WHO.entries()) {
    const record = await host.callApi("records.create", app, id, { data: { loan } });
    names.set(record.id, String(index));
  }
  /** The indexes of the records found, in order. */
  async function find(query: object): Promise<string> {
    const { items } = await host.callApi("records.list", app, id, query);
    return items.map((item: { id: string }) => names.get(item.id)).join("");
  }
  return { app, id, find };
}

/** A condition as the transport takes it. */
function where(host: TestHost, field: string, op: string | null, value: unknown): object {
  if (!host.overHttp) return { filter: [{ field, ...(op === null ? {} : { op }), value }] };
  const isQuoted = typeof value === "string" && /^\d/.test(value);
  const text = isQuoted || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return { [`filter[${field}]${op === null ? "" : `[${op}]`}`]: text };
}

async function errorsOf(call: Promise<unknown>) {
  const { code, errors } = await call.then(
    () => expect.fail("it must be refused"),
    (error: Refusal) => error,
  );
  return { code, errors: errors.map(({ pointer, message }) => `${pointer} ${message}`) };
}

describeEachTransport("finding records", (open) => {
  it.each([
    [null, 30, "1"],
    ["eq", "30", "2"],
    ["ne", 30, "4320"],
    ["gt", 5, "1"],
    ["gte", 5, "10"],
    ["gte", "3", "2"],
    ["lt", 5, "3"],
    ["lte", 5, "30"],
    ["in", [5, "30", true], "20"],
    ["exists", false, "4"],
    ["exists", true, "3210"],
  ])("compares an amount by %s with %j", async (op, value, expected) => {
    const host = open();
    const { find } = await loansIn(host);
    expect(await find(where(host, "loan:amount", op, value))).toBe(expected);
  });

  it.each([
    ["loan:name", "contains", "t", "2"],
    ["loan:name", "gt", "B", "210"],
    ["loan:tags", "contains", 7, "2"],
    ["loan:tags", "contains", 8, ""],
    ["loan:open", "eq", false, "1"],
    ["loan:none", "exists", true, ""],
    ["other:amount", "eq", 5, ""],
  ])("compares %s by %s with %j", async (field, op, value, expected) => {
    const host = open();
    const { find } = await loansIn(host);
    expect(await find(where(host, field, op, value))).toBe(expected);
  });

  it("sorts in both directions, with no value first, and continues in pages", async () => {
    const host = open();
    const { app, id, find } = await loansIn(host);
    expect(await find({ sort: "loan:amount" })).toBe("43012");
    expect(await find({ sort: "-loan:amount" })).toBe("21034");
    if (!host.overHttp) expect(await find({ sort: { field: "loan:amount", descending: true } })).toBe("21034");
    const sort = { sort: "-loan:amount", take: 2 };
    const first = await host.callApi("records.list", app, id, sort);
    expect(first).toMatchObject({ more: true, next_page_token: expect.any(String) });
    expect(await find({ ...sort, page_token: first.next_page_token })).toBe("03");
    expect(
      await find({ ...sort, page_token: first.next_page_token, ...where(host, "loan:name", "exists", false) }),
    ).toBe("34");
  });

  it("finds records by tag, text, result of a rule and time of change, together", async () => {
    const host = open();
    const { id: app } = await host.app();
    const workflow = await host.stepwell.workflows.create(app, {
      name: "Rule",
      steps: [{ type: "code", key: "rule", code: "return input.record.data.loan.amount > 1" }],
    });
    await host.stepwell.workflows.deploy(app, workflow.id);
    const rules = [{ name: "Enough", key: "enough [1]", workflow_id: workflow.id, on_fail: "FAIL" }];
    const { id } = await host.callApi("collections.create", app, { name: "Loans", config: { rules } });
    const tag = await host.callApi("tags.create", app, { name: "new" });
    const make = (amount: number, name: string, tags: string[]) =>
      host.callApi("records.create", app, id, { data: { loan: { amount, name } }, tags });
    const one = await make(1, "ada", [tag.id]);
    const two = await make(2, "ada", [tag.id]);
    const three = await make(3, "bob", [tag.id]);
    await make(4, "ada", []);
    const passed = host.overHttp ? { "rule_result[enough [1]]": "PASS" } : { rule_result: { "enough [1]": "PASS" } };
    const failed = host.overHttp ? { "rule_result[enough [1]]": "FAIL" } : { rule_result: { "enough [1]": "FAIL" } };
    const find = async (query: object) =>
      (await host.callApi("records.list", app, id, query)).items.map((item: { id: string }) => item.id);
    expect(await find({ ...passed, tags: tag.id })).toEqual([three.id, two.id]);
    expect(await find({ ...passed, tags: tag.id, search: "ADA" })).toEqual([two.id]);
    expect(await find({ ...passed, tags: tag.id, search: "ADA", sort: "loan:amount" })).toEqual([two.id]);
    expect(await find(failed)).toEqual([one.id]);
    expect(await find({ updated_after: "2100-01-01T00:00:00Z" })).toEqual([]);
    expect(await find({ updated_after: "2020-01-01T00:00:00+02:00", take: 2 })).toHaveLength(2);
  });

  it.each([
    ["loan", "eq", 1, 'Must have the form entity:field, such as "loan:amount".'],
    ["loan:amount", "exists", 1, "Must be true or false."],
    ["loan:amount", "gte", true, "Must be a number or a string."],
    ["loan:amount", "in", [], "Must be a list of values."],
  ])("refuses %s %s %j, and says what would be right", async (field, op, value, message) => {
    const host = open();
    const { app, id } = await loansIn(host);
    const { code, errors } = await errorsOf(host.callApi("records.list", app, id, where(host, field, op, value)));
    expect(code).toBe("invalid");
    const at = host.overHttp
      ? `/filter[${field}][${op}]`
      : `/filter/0/${message.includes("entity") ? "field" : "value"}`;
    expect(errors).toEqual([`${at} ${message}`]);
  });

  it("reads values of parameters as JSON where they are numbers, booleans or quoted, and as text otherwise", async () => {
    const host = open();
    const { app, id } = await loansIn(host);
    const texts = ["30", "007", "true", "null", 'a "b"', "x,y", "été", "-"];
    for (const text of texts) await host.callApi("records.create", app, id, { data: { as: { text } } });
    await host.callApi("records.create", app, id, { data: { as: { text: 30 } } });
    await host.callApi("records.create", app, id, { data: { as: { text: true } } });
    const find = async (op: string, value: string) => {
      const { items } = await host.callApi("records.list", app, id, { [`filter[as:text][${op}]`]: value });
      return items.map((item: { data: { as: { text: unknown } } }) => item.data.as.text);
    };
    expect(await find("eq", "30")).toEqual([30]);
    expect(await find("eq", '"30"')).toEqual(["30"]);
    expect(await find("eq", "3e1")).toEqual([30]);
    expect(await find("eq", "007")).toEqual(["007"]);
    expect(await find("eq", "true")).toEqual([true]);
    expect(await find("eq", '"true"')).toEqual(["true"]);
    expect(await find("eq", "null")).toEqual(["null"]);
    expect(await find("eq", 'a "b"')).toEqual(['a "b"']);
    expect(await find("eq", "x,y")).toEqual(["x,y"]);
    expect(await find("in", "30,007,-,été")).toEqual([30, "-", "été", "007"]);
    expect(await find("in", '["x,y","30",true]')).toEqual([true, "x,y", "30"]);
    expect(await find("in", '"x,y","30",true')).toEqual([true, "x,y", "30"]);
    expect(await find("in", '"x,y"')).toEqual(["x,y"]);
    expect(await find("in", ',007,,"x,y",')).toEqual(["x,y", "007"]);
  });

  it("refuses unknown operators, too many conditions, a page number and a token of another order", async () => {
    const host = open();
    const { app, id } = await loansIn(host);
    const list = (query: object) => errorsOf(host.callApi("records.list", app, id, query));
    expect((await list(where(host, "loan:amount", "like", 1))).errors[0]).toMatch(/^\/filter.*"eq".*"like"/);
    const many = Array.from({ length: 11 }, (_, n) => ({ field: `loan:f${n}`, value: 1 }));
    const conditions = host.overHttp
      ? Object.fromEntries(many.map(({ field }) => [`filter[${field}]`, "1"]))
      : { filter: many };
    for (const op of ["__proto__", "GT", "constructor", "g-t", ""]) {
      expect((await list(where(host, "loan:amount", op, 1))).errors[0]).toContain("/filter");
    }
    expect((await list(conditions)).errors).toEqual(["/filter Must have at most 10 conditions."]);
    expect((await list({ sort: "amount" })).errors[0]).toContain("/sort");
    expect((await list({ sort: "loan:amount", page: 2 })).errors[0]).toContain("/page Must be 1");
    const refusals = (query: object) =>
      host.callApi("records.list", app, id, query).then(
        () => [],
        ({ errors }: Refusal) => errors.map(({ pointer, message }) => `${pointer} ${message}`),
      );
    const tokenOf = async (query: object) =>
      (await host.callApi("records.list", app, id, { take: 2, ...query })).next_page_token ?? "";
    const sorts = [{}, { sort: "loan:amount" }, { sort: "-loan:amount" }, { sort: "loan:name" }];
    for (const sort of sorts) {
      const page_token = await tokenOf(sort);
      for (const other of sorts) {
        const wrong = "/page_token Must be the next page token of a list with the same sort.";
        expect(await refusals({ ...other, page_token })).toEqual(other === sort ? [] : [wrong]);
      }
    }
    expect((await list({ updated_after: "yesterday" })).errors[0]).toContain("/updated_after");
    const wrong = host.overHttp ? { "rule_result[credit]": "GOOD" } : { rule_result: { credit: "GOOD" } };
    expect((await list(wrong)).errors[0]).toMatch(/^\/rule_result.*credit.*"PASS"/);
  });
});
