/** How much the page of the console renders. */
import type { Page } from "playwright-core";

export interface RenderWork {
  /** How often the page has been changed. */
  readonly commits: number;
  /** How many components were rendered for that. */
  readonly rendered: number;
}

/** Counts from the next page on, through the hook of the developer tools of Preact. */
export async function countRenderWork(page: Page): Promise<() => Promise<RenderWork>> {
  await page.addInitScript(() => {
    const work = { commits: 0, rendered: 0 };
    Reflect.set(window, "renderWork", work);
    Reflect.set(window, "__PREACT_DEVTOOLS__", {
      // Hooks that tools may set have short names that stay the same (`_render`, `_commit`).
      attachPreact(_version: string, options: Record<string, (...given: unknown[]) => void>) {
        const { __r: onRender, __c: onCommit } = options;
        options["__r"] = (...given) => {
          work.rendered++;
          onRender?.(...given);
        };
        options["__c"] = (...given) => {
          work.commits++;
          onCommit?.(...given);
        };
      },
    });
  });
  return async () => {
    const work = await page.evaluate(() => Reflect.get(window, "renderWork") as RenderWork); // set above
    if (work.commits === 0) throw new Error("Nothing was rendered: the page does not count it.");
    return work;
  };
}
