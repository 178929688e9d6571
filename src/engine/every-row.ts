/** Every row of a list, page by page, the first first. */
import type { Store } from "../ports/store.ts";

const PAGE = 100;

/** @returns Ids of what is listed; what is put or taken meanwhile may be among them or not. */
export async function* everyRow(store: Store, list: string): AsyncGenerator<string, void> {
  for (let after: string | undefined; ; ) {
    const position = after === undefined ? {} : { after };
    const page = await store.list(list, { limit: PAGE, descending: false, ...position });
    yield* page.ids;
    if (page.next === undefined) return;
    after = page.next;
  }
}
