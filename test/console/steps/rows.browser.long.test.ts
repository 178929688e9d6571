/** Rows in the panel of a step: the focus follows what is added and moved. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { createWorkflow, storedDraft } from "../editor/open-editor.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent;
  });

it("options are added and moved by keyboard, and each move is announced", async () => {
  const { id, path } = await createWorkflow(server, "Options", [
    { type: "input", key: "start", input: { kind: { type: "select", options: [{ value: "one" }] } } },
  ]);
  const { page, go, faults } = await openConsole(browser, server);
  const stored = async () => {
    const [start] = (await storedDraft(server, id)).steps;
    const field = start?.type === "input" ? start.input["kind"] : undefined;
    return field?.type === "select" ? field.options?.map(({ value }) => value) : undefined;
  };
  await go(`${path}?step=start`);
  await page.getByText("kind · Choice").click();
  await page.getByRole("button", { name: "Add an option" }).press("Enter");
  await expect.poll(() => focused(page)).toBe("Option 2: Value");
  await page.keyboard.type("two");
  await expect.poll(stored).toEqual(["one", "two"]);
  await page.keyboard.press("Alt+ArrowUp");
  await expect.poll(() => focused(page)).toBe("Option 1: Value");
  await expect.poll(() => page.getByLabel("Option 1: Value").inputValue()).toBe("two");
  await page.locator(".announced").getByText("Position 1 of 2").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Move Option 1 down" }).press("Enter");
  await expect.poll(() => focused(page)).toBe("Move Option 2 down");
  await page.locator(".announced").getByText("Position 2 of 2").waitFor({ state: "attached" });
  // At the end, nothing moves.
  await page.keyboard.press("Alt+ArrowDown");
  expect(await focused(page)).toBe("Move Option 2 down");
  await expect.poll(stored).toEqual(["one", "two"]);
  expect(await faults()).toEqual([]);
});

it("a field that is moved beyond the panel's edge is in view", async () => {
  const input = Object.fromEntries(
    ["first", "second", "third"].map((name, order) => [name, { type: "string", order } as const]),
  );
  const { path } = await createWorkflow(server, "Fields", [{ type: "input", key: "start", input }]);
  const { page, go } = await openConsole(browser, server, { viewport: { width: 1280, height: 500 } });
  await go(`${path}?step=start`);
  await page.getByText("second · Text").click();
  const down = page.getByRole("button", { name: "Move first down" });
  await down.press("Enter");
  await page.locator(".announced").getByText("Position 2 of 3").waitFor({ state: "attached" });
  expect(await focused(page)).toBe("Move first down");
  const isInView = () =>
    down.evaluate((button) => {
      const { top, bottom } = button.getBoundingClientRect();
      const at = document.elementFromPoint(button.getBoundingClientRect().x + 4, (top + bottom) / 2);
      return at !== null && button.contains(at);
    });
  await expect.poll(isInView).toBe(true);
});

it("a field is added by choosing its type, and not by passing the types", async () => {
  const { id, path } = await createWorkflow(server, "Added", [{ type: "input", key: "start", input: {} }]);
  const { page, go } = await openConsole(browser, server);
  const stored = async () => {
    const [start] = (await storedDraft(server, id)).steps;
    return start?.type === "input" ? start.input : undefined;
  };
  await go(`${path}?step=start`);
  await page.getByRole("button", { name: "Add a field" }).press("Enter");
  await expect.poll(() => focused(page)).toBe("Text");
  const [menu, panel] = await Promise.all(
    [page.getByRole("menu", { name: "Add a field" }), page.locator(".step-panel")].map(spanOf),
  );
  expect(menu?.left).toBeGreaterThanOrEqual(panel?.left ?? Number.NaN);
  expect(menu?.right).toBeLessThanOrEqual(panel?.right ?? Number.NaN);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).toBe("Yes or no");
  expect(await stored()).toEqual({});
  await page.keyboard.press("Enter");
  await page.keyboard.type("agreed");
  await page.keyboard.press("Tab");
  await expect.poll(stored).toMatchObject({ agreed: { type: "boolean" } });
  const title = page.locator(".field-summary > summary");
  await expect.poll(() => title.textContent()).toBe("agreed · Yes or no");
  await page.getByRole("textbox", { name: "Label (optional)" }).fill("I agree");
  await expect.poll(() => title.textContent()).toBe("I agree agreed · Yes or no");
});

/** Where an element begins and ends in the window, from left to right. */
const spanOf = (place: Locator) =>
  place.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    return { left, right };
  });
