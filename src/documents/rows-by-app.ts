/** Lists of all apps whose rows are ordered by app, so that apps take turns and none waits for the rows of another. */
import type { Store } from "../ports/store.ts";

/** Sorts after every order in an app. */
const LAST = "~";

/** The order of a row. @param order Its order among the rows of the app. */
export const orderOfApp = (appId: string, order: string) => `${appId}/${order}`;

/** The rows of an app. */
export const rowsOfApp = (appId: string) => ({ from: orderOfApp(appId, ""), until: orderOfApp(appId, LAST) });

/** Yields the apps that have rows in the list. Reads one row of each. */
export async function* appsWithRows(store: Store, list: string): AsyncGenerator<string, void> {
  for (let from: string | undefined; ; ) {
    const [order] = (await store.list(list, { limit: 1, descending: false, withoutTotal: true, from })).orders ?? [];
    if (order === undefined) return;
    const appId = order.slice(0, order.indexOf("/"));
    yield appId;
    from = orderOfApp(appId, LAST);
  }
}
