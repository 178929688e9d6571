/**
 * src/client/routes.ts contains the routes that the client calls. `npx vitest run test/client/route-table.test.ts -u`
 * updates it from the route table.
 */
import { describe, expect, it } from "vitest";
import { routes } from "../../src/api/route-table.ts";
import { ROUTES } from "../../src/client/routes.ts";
import { rowOf } from "../../src/client/table-row.ts";
import { type AnyRoute, acceptsPageToken, type RouteGroup } from "../../src/http/route.ts";

const HEAD = `/**
 * The routes that the client calls. Generated from src/api/route-table.ts by test/client/route-table.test.ts;
 * src/client/table-row.ts reads them.
 */
export const ROUTES = {
`;

/** Letters for what the function of a route sends and returns; see src/client/table-row.ts. */
const LETTERS: Readonly<Record<string, string>> = {
  "GET json": "g",
  "GET list": "l",
  "GET tokens": "t",
  "POST json": "p",
  "POST once": "o",
  "PUT json": "u",
  "PATCH json": "a",
  "DELETE json": "d",
  "GET raw": "r",
  "POST raw": "s",
};

/** Raw routes that the client calls by functions of its own. */
const BY_HAND = new Set(["apps.stream", "runs.events", "files.download", "records.import", "records.export"]);

const groups: readonly (readonly [string, RouteGroup])[] = Object.entries(routes);
const rows = groups.flatMap(([group, all]) => Object.entries(all).map(([name, row]) => ({ group, name, row })));

function kindOf(row: AnyRoute): string {
  if (row.kind === "raw") return "raw";
  if (row.answers.kind === "page") return acceptsPageToken(row) ? "tokens" : "list";
  return row.repeatable === false ? "json" : "once";
}

/** The path of a group's resource, from which the paths of most rows follow. */
function resourceOf(rows: RouteGroup): string {
  return (rows["get"] ?? rows["remove"] ?? Object.values(rows)[0])?.path ?? "";
}

/** A letter, and the path: relative to that of the resource, or, after a hyphen, to that of its list. */
function textOf(row: AnyRoute, resource: string): string {
  const letter = LETTERS[`${row.method} ${kindOf(row)}`];
  if (letter === undefined) throw new Error(`${row.method} ${row.path} needs a letter`);
  const list = resource.replace(/\/\{\w+\}$/, "");
  const below = (place: string) => `${row.path}/`.startsWith(`${place}/`);
  if (below(resource)) return `${letter}${row.path.slice(resource.length)}`;
  if (below(list)) return `${letter}-${row.path.slice(list.length)}`;
  return `${letter}${withoutApp(row.path)}`;
}

const withoutApp = (path: string) => path.replace("/apps/{app_id}/", "");

it("src/client/routes.ts contains every route that the client calls", async () => {
  const texts = groups.flatMap(([group, all]) => {
    const called = Object.entries(all).filter(
      ([name, row]) => row.kind === "shaped" || BY_HAND.has(`${group}.${name}`),
    );
    const resource = resourceOf(Object.fromEntries(called));
    const lines = called.map(([name, row]) => `    ${name}: "${textOf(row, resource)}",\n`);
    return lines.length === 0 ? [] : [`  ${group}: {\n    at: "${withoutApp(resource)}",\n${lines.join("")}  },\n`];
  });
  await expect(`${HEAD}${texts.join("")}} as const;\n`).toMatchFileSnapshot("../../src/client/routes.ts");
});

it("src/client/routes.ts has the method, path and kind of each route", () => {
  const read = Object.entries<Readonly<Record<string, string>>>(ROUTES).flatMap(([group, all]) =>
    Object.keys(all).flatMap((name) => (name === "at" ? [] : [[`${group}.${name}`, rowOf(all, name)]])),
  );
  const expected = rows
    .filter(({ group, name, row }) => row.kind === "shaped" || BY_HAND.has(`${group}.${name}`))
    .map(({ group, name, row }) => [`${group}.${name}`, { method: row.method, path: row.path, kind: kindOf(row) }]);
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(expected));
});

describe("what the client assumes of each route", () => {
  const shaped = rows.flatMap(({ group, name, row }) =>
    row.kind === "shaped" ? [{ name: `${group}.${name}`, row }] : [],
  );

  it.each(shaped)("$name has a query if its method is GET or DELETE, else a body", ({ row }) => {
    const hasQuery = row.method === "GET" || row.method === "DELETE";
    expect(hasQuery ? row.body : row.query).toBeUndefined();
  });

  it.each(shaped.filter(({ row }) => row.method === "DELETE"))("$name returns nothing", ({ row }) => {
    expect(row.answers.kind).toBe("nothing");
  });

  it.each(shaped)("$name responds with JSON if the client asks for it", ({ row }) => {
    const { forms } = row.answers;
    expect(forms === undefined || forms.some(({ type }) => type === "application/json")).toBe(true);
  });

  it.each(shaped.filter(({ row }) => row.kind === "shaped" && row.repeatable !== false))(
    "$name honors Idempotency-Key only with POST",
    ({ row }) => expect(row.method).toBe("POST"),
  );
});
