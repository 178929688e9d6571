/** The end of a list that is read page by page. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it("is said in the place of the button, which keeps the focus", async () => {
  const { stepwell, app } = server;
  for (let count = 0; count < 105; count++) await stepwell.collections.create(app.id, { name: `Site ${count}` });
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/collections`);
  const more = page.getByRole("button", { name: "Load more" });
  await more.focus();
  await page.keyboard.press("Enter");
  const end = page.getByText("All 105 are shown.");
  await end.waitFor();
  expect(await end.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Shift+Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("tr") !== null)).toBe(true);
  expect(await faults()).toEqual([]);
});
