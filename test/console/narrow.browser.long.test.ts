/** The console where there is little room, in a real browser: phones, and windows that are zoomed in. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

it("reaches all sections on a phone, and shows keys with many scopes without scrolling to the side", async () => {
  const { stepwell, app } = server;
  await stepwell.keys.create(app.id, {
    name: "Partner",
    scopes: ["workflows:read", "workflows:write", "runs:read", "runs:write", "connections:read", "connections:write"],
  });
  const options = { key: ADMIN_KEY, viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
  const { page, go, faults } = await openConsole(browser, server, options);
  await go(`/apps/${app.id}`);
  const sections = page.getByRole("navigation", { name: "Sections" });
  await sections.getByRole("link", { name: "Inbox" }).waitFor();
  expect(await sections.getByRole("link", { name: "API keys" }).isVisible()).toBe(false);
  await sections.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "API keys" }).click();
  await page.getByRole("rowheader", { name: "Partner" }).waitFor();
  expect(await overflowOf(page)).toBe(0);
  expect(await faults()).toEqual([]);
});

it("lets its bars scroll away where a window is low", async () => {
  const { page, go } = await openConsole(browser, server, { viewport: { width: 360, height: 225 } });
  await go(`/apps/${server.app.id}/runs`);
  const positions = await page
    .locator(".top-bar, .navigation")
    .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).position));
  expect(positions).toEqual(["static", "static"]);
});

it("keeps the search of the reference, and shows the chosen operation in its list", async () => {
  const { page, go } = await openConsole(browser, server);
  await go("/docs");
  await page.getByRole("searchbox").fill("webhooks");
  // The links have the search once the address has it.
  await page.waitForURL("**/docs?search=webhooks");
  await page.getByRole("link", { name: "webhooks.create" }).click();
  await page.waitForURL("**/docs/webhooks.create?search=webhooks");
  expect(await page.getByRole("searchbox").inputValue()).toBe("webhooks");
  await go("/docs/webhooks.create");
  const current = page.locator(".operations [aria-current='page']");
  const box = await current.boundingBox();
  expect(box?.y).toBeGreaterThan(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
});

it("shows the whole of the chosen tab where not all have room", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.collections.create(app.id, { name: "Loans" });
  const { page, go } = await openConsole(browser, server, { viewport: { width: 360, height: 780 }, locale: "de" });
  await go(`/apps/${app.id}/collections/${id}/settings?section=indexes`);
  const tab = page.getByRole("tab", { selected: true });
  const cut = () =>
    tab.evaluate((one) => {
      const [mine, list] = [one.getBoundingClientRect(), one.parentElement?.getBoundingClientRect()];
      return Math.max((list?.left ?? 0) - mine.left, mine.right - (list?.right ?? 0), scrollY);
    });
  await expect.poll(cut).toBeLessThanOrEqual(1);
  await tab.press("Home");
  await expect.poll(() => page.getByRole("tab").first().getAttribute("aria-selected")).toBe("true");
  await expect.poll(cut).toBeLessThanOrEqual(1);
});
