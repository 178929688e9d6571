/** Where the focus is on a page. */
import type { Page } from "playwright-core";

/** Waits until an element that matches the selector, and contains the text, has the focus. */
export const focusAt = (page: Page, selector: string, text = "") =>
  page.waitForFunction(
    ([wanted, said]) => {
      const { activeElement } = document;
      return activeElement?.matches(wanted ?? "") === true && (activeElement.textContent ?? "").includes(said ?? "");
    },
    [selector, text],
  );

/** What has the focus: its text or its label. */
export const focusedText = (page: Page) =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? "");
