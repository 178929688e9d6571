/** listAll, and page tokens of all lists that the storage keeps. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "../../src/api/route-table.ts";
import { type AnyRoute, acceptsPageToken, type RouteGroup } from "../../src/http/route.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

const isList = (row: AnyRoute) => row.kind === "shaped" && row.answers.kind === "page";
const groups: readonly (readonly [string, RouteGroup])[] = Object.entries(routes);
const lists = groups.flatMap(([group, rows]) =>
  Object.entries(rows).flatMap(([name, row]) => (isList(row) ? [{ name: `${group}.${name}`, row }] : [])),
);

it("only lists within one document have no page tokens", () => {
  const without = lists.filter(({ row }) => row.kind === "shaped" && !acceptsPageToken(row));
  expect(without.map(({ name }) => name).sort()).toEqual(["rules.list", "triggers.list"]);
});

async function namesOf(items: AsyncIterable<{ readonly name: string }>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of items) names.push(name);
  return names;
}

describe("listAll", () => {
  it("returns the items of all pages, with the filters of the list", async () => {
    const { stepwell, app } = service;
    for (const name of ["a1", "b1", "a2", "b2", "a3"]) await stepwell.tags.create(app, { name });
    expect(await namesOf(stepwell.tags.listAll(app, { take: 2 }))).toEqual(["a3", "b2", "a2", "b1", "a1"]);
    expect(await namesOf(stepwell.tags.listAll(app, { take: 1, search: "b" }))).toEqual(["b2", "b1"]);
  });

  it("neither skips nor repeats items when the caller deletes and creates others meanwhile", async () => {
    const { stepwell } = service;
    const app = (await stepwell.apps.create({ name: "Another" })).id;
    for (let index = 0; index < 7; index++)
      await stepwell.files.create(app, { name: `${index}`, body: new Uint8Array(1) });
    const found: string[] = [];
    for await (const { id, name } of stepwell.files.listAll(app, { take: 2 })) {
      found.push(name);
      await stepwell.files.remove(app, id);
      await stepwell.files.create(app, { name: "new", body: new Uint8Array(1) });
    }
    // Files of the same millisecond have any order.
    expect(found.toSorted()).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
  });

  it("returns the rules of a collection in their order, in any page size", async () => {
    const { stepwell, app } = service;
    const { id: workflow_id } = await stepwell.workflows.create(app, { name: "Rule" });
    const rules = ["c", "a", "b"].map((key) => ({ key, name: key, workflow_id, disabled: true }));
    const { id } = await stepwell.collections.create(app, { name: "Loans", config: { rules } });
    expect(await namesOf(stepwell.rules.listAll(app, id))).toEqual(["c", "a", "b"]);
    expect(await namesOf(stepwell.rules.listAll(app, id, { take: 1 }))).toEqual(["c", "a", "b"]);
  });

  it.each([{ page: 2 }, { page_token: "tag_1" }])("rejects %j", async (options: object) => {
    const { stepwell, app } = service;
    await expect(namesOf(stepwell.tags.listAll(app, options))).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: `/${Object.keys(options)[0]}` }],
    });
  });

  it("rejects an unknown filter and an unknown app as the list does", async () => {
    const { stepwell, app } = service;
    const unknown: object = { unknown: 1 };
    await expect(namesOf(stepwell.tags.listAll(app, unknown))).rejects.toMatchObject({ code: "invalid" });
    await expect(namesOf(stepwell.tags.listAll("app_none"))).rejects.toMatchObject({ code: "not_found" });
  });
});
