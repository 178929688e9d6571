/** Iterates over all pages of a list. For callers in process and over HTTP, so it depends on nothing at run time. */
import type { Page } from "../documents/pagination.ts";
import { StepwellError } from "../errors.ts";

/** The name of the function that iterates over all pages: `list` → `listAll`, `deliveries` → `allDeliveries`. */
export type AllName<Name extends string> = Name extends `list${infer Rest}`
  ? `listAll${Rest}`
  : `all${Capitalize<Name>}`;

/** See {@link AllName}. */
export function allName(name: string): string {
  return name.startsWith("list")
    ? name.replace("list", "listAll")
    : `all${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Items per page of a list without tokens. Such a list has at most 500 items, so one page contains all of them. */
const WHOLE_LIST = 1_000;

/**
 * Pages are read on demand. A list with page tokens continues after the last item that was read, so what callers create
 * or delete meanwhile neither repeats items nor hides them.
 * @param list Reads one page.
 * @param hasTokens Whether the list accepts `page_token`.
 * @throws StepwellError `invalid` if the query selects a page; `unavailable` if a server repeats a page token, so that the
 * list would never end
 */
export async function* allPages<Item>(
  list: (query: unknown) => Promise<Page<Item>>,
  hasTokens: boolean,
  query: unknown = {},
): AsyncGenerator<Item, void> {
  if (typeof query !== "object" || query === null || Array.isArray(query)) {
    yield* (await list(query)).items; // which rejects it
    return;
  }
  for (const name of ["page", "page_token"]) {
    if (name in query) {
      const message = "Must be omitted: all pages are read.";
      throw new StepwellError("invalid", `${name}: ${message}`, { errors: [{ pointer: `/${name}`, message }] });
    }
  }
  let next: object = hasTokens ? query : { take: WHOLE_LIST, ...query };
  let token: string | undefined;
  for (;;) {
    const { items, more, page, next_page_token } = await list(next);
    yield* items;
    if (!more) return;
    if (token !== undefined && token === next_page_token) {
      throw new StepwellError("unavailable", "A page of the list names itself as the next one.");
    }
    token = next_page_token;
    next = next_page_token === undefined ? { ...next, page: page + 1 } : { ...query, page_token: next_page_token };
  }
}
