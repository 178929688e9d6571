/** `config.indexes` of collections, in process and over HTTP. */
import { expect, it } from "vitest";
import { describeEachTransport, type Refusal, type TestHost } from "../support/http/transports.ts";
import { until } from "../support/until.ts";

async function collectionIn(host: TestHost, config: object) {
  const { id: app } = await host.app();
  const { id } = await host.callApi("collections.create", app, { name: "Loans", config });
  const stateOf = async (): Promise<unknown> => (await host.callApi("collections.get", app, id)).config.index_states;
  return { app, id: String(id), stateOf };
}

const ready = (path: string) => ({ path, state: "ready" });

describeEachTransport("config.indexes", (open) => {
  it("is stored as given, and is ready at once in a collection without records", async () => {
    const host = open();
    const { app, id } = await collectionIn(host, { indexes: ["loan:b", "loan:a"] });
    const { config } = await host.callApi("collections.get", app, id);
    expect(config).toMatchObject({ indexes: ["loan:b", "loan:a"], index_states: [ready("loan:b"), ready("loan:a")] });
    const changed = await host.callApi("collections.update", app, id, { config: { indexes: ["loan:c"] } });
    expect(changed.config).toMatchObject({ indexes: ["loan:c"], index_states: [ready("loan:c")] });
    const kept = await host.callApi("collections.update", app, id, { config: { mappings: [] } });
    expect(kept.config.indexes).toEqual(["loan:c"]);
  });

  it("refuses invalid paths, duplicates and too many paths", async () => {
    const host = open();
    const refusal = (indexes: unknown) =>
      collectionIn(host, { indexes }).then(
        () => expect.fail("it must be refused"),
        ({ errors }: Refusal) => errors.map(({ pointer, message }) => `${pointer} ${message}`),
      );
    expect(await refusal(["loan"])).toEqual([
      '/config/indexes/0 Must have the form entity:field, such as "loan:amount".',
    ]);
    expect(await refusal(["a:b", "a:b"])).toEqual(["/config/indexes Must not name a field twice."]);
    const many = Array.from({ length: 17 }, (_, n) => `a:f${n}`);
    expect(await refusal(many)).toEqual(["/config/indexes Must have at most 16 fields."]);
  });

  it("sorts and filters more records than are read without an index, and without one reports what is missing", async () => {
    const host = open();
    const { app, id, stateOf } = await collectionIn(host, {});
    const { stepwell } = host;
    for (let n = 0; n < 2_050; n++) {
      await stepwell.records.create(app, id, {
        data: { loan: { amount: (n * 7) % 2_050, state: n === 3 ? "odd" : "even" } },
      });
    }
    const list = (query: object) => host.callApi("records.list", app, id, query);
    const amounts = (page: { items: { data: { loan: { amount: number } } }[] }) =>
      page.items.map(({ data }) => data.loan.amount);
    const odd = host.overHttp
      ? { "filter[loan:state][contains]": "odd" }
      : { filter: [{ field: "loan:state", op: "contains", value: "odd" }] };
    const few = host.overHttp
      ? { "filter[loan:amount][lt]": "3" }
      : { filter: [{ field: "loan:amount", op: "lt", value: 3 }] };

    const message = /2000 records, here 2050, needs an index of "loan:amount"\. Add the field to config\.indexes/;
    await expect(list({ sort: "-loan:amount" })).rejects.toThrow(message);
    const first = await list(odd);
    expect(first).toMatchObject({ items: [], more: true, next_page_token: expect.any(String) });
    if (!host.overHttp) expect(first.incomplete).toBe(true);
    expect(amounts(await list({ ...odd, page_token: first.next_page_token }))).toEqual([21]);
    expect(amounts(await list({ ...few, take: 1 }))).toHaveLength(1);

    await host.callApi("collections.update", app, id, { config: { indexes: ["loan:amount"] } });
    await until(async () => JSON.stringify(await stateOf()) === JSON.stringify([ready("loan:amount")]));
    const page = await list({ sort: "-loan:amount", take: 3 });
    expect(amounts(page)).toEqual([2_049, 2_048, 2_047]);
    expect(amounts(await list({ sort: "-loan:amount", take: 2, page_token: page.next_page_token }))).toEqual([
      2_046, 2_045,
    ]);
    expect(amounts(await list({ ...few, sort: "loan:amount" }))).toEqual([0, 1, 2]);
    const found = await list(few);
    expect(found.more).toBe(false);
    expect(amounts(found).sort()).toEqual([0, 1, 2]);
  });
});
