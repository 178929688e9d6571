/** Turns the routes into functions, as src/api/route-functions.ts does in process. */
import { allName, allPages } from "../api/all-pages.ts";
import type { TableFunctions } from "../api/route-functions.ts";
import type { routes } from "../api/route-table.ts";
import type { Page } from "../documents/pagination.ts";
import { StepwellError } from "../errors.ts";
import { checkJson } from "./check-json.ts";
import type { Connection, Outgoing } from "./connection.ts";
import { queryText } from "./query.ts";
import { readJson, unexpected } from "./response-body.ts";
import { ROUTES } from "./routes.ts";
import { fillPath, rowOf, type TableRow } from "./table-row.ts";

type Given = readonly unknown[];

export function tableFunctions(connection: Connection): TableFunctions<typeof routes> {
  const groups = Object.entries(ROUTES).map(([group, rows]) => [group, groupFunctions(connection, rows)]);
  return Object.fromEntries(groups) as TableFunctions<typeof routes>; // generated from these routes
}

function groupFunctions(connection: Connection, rows: Readonly<Record<string, string>>): object {
  const functions: Record<string, (...given: Given) => unknown> = {};
  for (const name of Object.keys(rows)) {
    if (name === "at") continue;
    const row = rowOf(rows, name);
    const { kind } = row;
    if (kind === "json" || kind === "once") functions[name] = (...given) => callRoute(connection, row, given);
    if (kind !== "list" && kind !== "tokens") continue;
    const count = countOf(row);
    const list = (...given: Given) => callList(connection, row, given);
    functions[name] = list;
    functions[allName(name)] = (...given) =>
      allPages((query) => list(...given.slice(0, count), query), kind === "tokens", given[count]);
  }
  return functions;
}

/** Calls a route with JSON. A deletion has no result. */
export async function callRoute(
  connection: Connection,
  row: TableRow,
  given: Given,
  { signal, key = connection.idempotencyKey }: { signal?: AbortSignal | undefined; key?: string | undefined } = {},
): Promise<unknown> {
  const read = (response: Response) =>
    row.method === "DELETE" ? response.body?.cancel() : readJson(response, connection.maxResponseBytes);
  return connection.exchange({ ...outgoingOf(row, given, key), signal }, read);
}

async function callList(connection: Connection, row: TableRow, given: Given): Promise<Page<unknown>> {
  return connection.exchange(outgoingOf(row, given), async (response) => {
    const items = await readJson(response, connection.maxResponseBytes);
    if (!Array.isArray(items)) throw unexpected(response, "a list");
    return pageOf(items, response.headers, Object(given[countOf(row)]));
  });
}

/** Over HTTP, the items of a page are the body, and its other fields are headers. */
function pageOf(items: readonly unknown[], headers: Headers, query: { page?: unknown; take?: unknown }): Page<unknown> {
  const total = headers.get("x-total-count");
  const token = headers.get("x-next-page-token");
  const incomplete = headers.get("x-incomplete");
  const page: { -readonly [Field in keyof Page<unknown>]: Page<unknown>[Field] } = {
    items,
    page: Number(query.page ?? 1),
    take: Number(query.take ?? 100),
    more: token !== null || /rel="next"/.test(headers.get("link") ?? ""),
  };
  if (total !== null) page.total = Number(total);
  if (token !== null) page.next_page_token = token;
  if (incomplete !== null) page.incomplete = incomplete === "true";
  return page;
}

const countOf = ({ path }: TableRow) => path.split("{").length - 1;

/** The request of a call: path parameters in order, then the query of GET and DELETE, or the body of other methods. */
function outgoingOf(row: TableRow, given: Given, key?: string): Outgoing {
  const { kind, method } = row;
  const path = fillPath(row.path, given);
  const input = given[countOf(row)];
  if (method === "GET" || method === "DELETE") return { method, path: path + queryText(input) };
  const isRepeatable = method === "PUT" || kind === "once";
  const headers = kind === "once" ? keyHeader(key) : {};
  if (input !== undefined) headers["content-type"] = "application/json";
  return { method, path, headers, body: jsonText(input), isRepeatable };
}

/** The key of a call: the caller's, or a random one, so that the client may repeat the request. */
export function keyHeader(given: string | undefined): Record<string, string> {
  return { "idempotency-key": given ?? crypto.getRandomValues(new Uint32Array(4)).join("-") };
}

/** @throws StepwellError `invalid` for anything but plain JSON; `too_large` for more than fits into a string */
function jsonText(input: unknown): string | undefined {
  checkJson(input);
  try {
    return JSON.stringify(input);
  } catch (cause) {
    throw new StepwellError("too_large", `The body cannot be written as JSON: ${String(cause)}.`, { cause });
  }
}
