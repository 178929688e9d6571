/** Reads whole lists. */
import { omitUndefined } from "../json.ts";

const PAGE_SIZE = 100;

export type ListAll<Item> = (query: { page: number; take: number; page_token?: string }) => Promise<{
  readonly items: readonly Item[];
  readonly next_page_token?: string;
}>;

/** Yields all items of a list, a page at a time. */
export async function* all<Item>(list: ListAll<Item>): AsyncGenerator<Item, void> {
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const page = await list({ page: 1, take: PAGE_SIZE, ...omitUndefined({ page_token: token }) });
    yield* page.items;
    token = page.next_page_token;
  }
}
