/** The headers of a page: Link (RFC 8288), X-Total-Count, X-Next-Page-Token, X-Incomplete. */
import type { Page } from "../documents/pagination.ts";
import { omitUndefined } from "../json.ts";

/** Node.js clients accept 16 KiB of headers, and proxies less. Each link repeats the query of the request. */
const MAX_LINK_CHARS = 4_096;

/** Headers of a page. @param list URL of the list, without its query. */
export function pageHeaders(
  page: Page<unknown>,
  list: string,
  search: string,
  byToken: boolean,
): Record<string, string> {
  const token = byToken ? page.next_page_token : undefined;
  return omitUndefined({
    link: links(page, list, new URLSearchParams(search), token),
    "x-total-count": page.total === undefined ? undefined : String(page.total),
    "x-next-page-token": token,
    "x-incomplete": page.incomplete === undefined ? undefined : String(page.incomplete),
  });
}

/** The links that fit: all, only the next page, or none. */
function links(
  page: Page<unknown>,
  list: string,
  query: URLSearchParams,
  token: string | undefined,
): string | undefined {
  const onToken = query.has("page_token");
  const at = (name: "page" | "page_token", value: string) => {
    const other = new URLSearchParams(query);
    other.delete("page");
    other.delete("page_token");
    other.set(name, value);
    return `${list}?${other}`;
  };
  const found: Record<string, string> = { first: at("page", "1") };
  // Such a list has no numbered pages.
  if (onToken || page.incomplete !== undefined) {
    if (token !== undefined) found["next"] = at("page_token", token);
  } else {
    const last = page.total === undefined ? undefined : Math.max(1, Math.ceil(page.total / page.take));
    if (page.page > 1) found["prev"] = at("page", String(Math.min(page.page - 1, last ?? page.page)));
    if (page.more) found["next"] = at("page", String(page.page + 1));
    if (last !== undefined) found["last"] = at("page", String(last));
  }
  const all = Object.entries(found).map(([relation, url]) => ({ relation, link: `<${url}>; rel="${relation}"` }));
  const next = all.filter(({ relation }) => relation === "next");
  return [all, next]
    .map((some) => some.map(({ link }) => link).join(", "))
    .find(({ length }) => length > 0 && length <= MAX_LINK_CHARS);
}
