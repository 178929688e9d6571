/** What React does in a page of the console. */
import type { Page } from "playwright-core";

/** Counts from the next page on how often React changes the page, through the hook of its developer tools. */
export async function countCommits(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Reflect.set(window, "commits", 0);
    Reflect.set(window, "__REACT_DEVTOOLS_GLOBAL_HOOK__", {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: () => Reflect.set(window, "commits", Number(Reflect.get(window, "commits")) + 1),
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
    });
  });
  return () => page.evaluate(() => Number(Reflect.get(window, "commits")));
}
