/** The bar of the editor where there is little room: its groups stay together, in every language. */
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/web-pages/languages.ts";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();
const right = await createWorkflow(server, "Right", [{ type: "code", key: "a", code: "return 1" }]);
const steps = Array.from(
  { length: 12 },
  (_, at): Step => ({ type: "code", key: `s${at}`, code: "", conditional: "x." }),
);
const wrong = await createWorkflow(server, "Wrong", steps);
const paths = [right.path, wrong.path];

/** Rows in which the children of an element stand, and faces that are cut. */
const LOOK = (bar: Element) => {
  const rowsOf = (elements: readonly Element[]) => {
    const boxes = elements.map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
    let bottom = Number.NEGATIVE_INFINITY;
    let rows = 0;
    for (const box of boxes) {
      if (box.top >= bottom) rows++;
      bottom = Math.max(bottom, box.bottom);
    }
    return rows;
  };
  const groups = [...bar.children].filter(({ localName }) => localName !== "button");
  const buttons = [...bar.querySelectorAll("button")].filter((one) => one.getClientRects().length > 0);
  const isCut = (one: HTMLElement) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
  return {
    rows: rowsOf([...bar.children]),
    groups: groups.map((group) => rowsOf([...group.children])),
    cut: buttons.filter(isCut).map(({ innerText }) => innerText),
    excess: document.documentElement.scrollWidth - innerWidth,
  };
};

describe.each(LANGUAGES)("the bar of the editor in %s", (language) => {
  it.each([1_280, 1_024, 390])("keeps its groups together at %d px", async (width) => {
    const { page, go } = await openConsole(browser, server, { viewport: { width, height: 800 } });
    await page.addInitScript(
      (text) => localStorage.setItem("stepwell-settings", text),
      JSON.stringify({ language, prefersOutline: false }),
    );
    for (const path of paths) {
      await go(`${path}?view=canvas`);
      await page.locator(".canvas").waitFor();
      if (path === paths[1]) await page.locator(".problem-button.some").waitFor();
      const bar = page.locator(".editor-toolbar");
      const seen = await bar.evaluate(LOOK);
      expect.soft(new Set(seen.groups)).toEqual(new Set([1]));
      expect.soft(seen.cut).toEqual([]);
      expect.soft(seen.excess).toBeLessThanOrEqual(0);
      if (width > 390) expect.soft(seen.rows).toBe(1);
    }
  });
});
