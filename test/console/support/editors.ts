/** Editors of code, JSON and expressions on a page, which are loaded after the page itself. */
import type { Page } from "playwright-core";

/**
 * Waits until the panel of a step is there, with editors in the place of their text areas: until then, keys that mean
 * something in an editor mean nothing, and nothing is completed.
 */
export const untilEditors = (page: Page) =>
  page.waitForFunction(
    () => document.querySelector(".step-editor") !== null && document.querySelector(".code-editor > textarea") === null,
  );
