/** What React does in a page of the console. */
import type { Page } from "playwright-core";

export interface ReactWork {
  /** How often React has changed the page. */
  readonly commits: number;
  /** How many components it has drawn for that. */
  readonly drawn: number;
}

/** Counts from the next page on what React does, through the hook of its developer tools. */
export async function countReactWork(page: Page): Promise<() => Promise<ReactWork>> {
  await page.addInitScript(() => {
    interface Fiber {
      readonly tag: number;
      readonly flags: number;
      readonly child: Fiber | null;
      readonly sibling: Fiber | null;
      readonly alternate: Fiber | null;
    }
    /** Function components, and those in `memo`. */
    const COMPONENTS = new Set([0, 11, 14, 15]);
    const PERFORMED_WORK = 1;
    const work = { commits: 0, drawn: 0 };
    Reflect.set(window, "reactWork", work);
    const count = (fiber: Fiber): void => {
      if (COMPONENTS.has(fiber.tag) && (fiber.flags & PERFORMED_WORK) !== 0) work.drawn++;
      // The same children as before: nothing below was drawn.
      if (fiber.alternate !== null && fiber.alternate.child === fiber.child) return;
      for (let child = fiber.child; child !== null; child = child.sibling) {
        if (child.alternate !== child) count(child);
      }
    };
    Reflect.set(window, "__REACT_DEVTOOLS_GLOBAL_HOOK__", {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot(_id: number, root: { readonly current: Fiber }) {
        work.commits++;
        count(root.current);
      },
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
    });
  });
  return () =>
    page.evaluate(() => {
      const { commits, drawn } = Reflect.get(window, "reactWork") as ReactWork; // set above
      return { commits, drawn };
    });
}
