/** Reads that fail. What has been read stays: what somebody types into it would be lost with it. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { refuse } from "./support/refuse.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;

it("keeps the form of a record that somebody else changes meanwhile", async () => {
  const { id } = await stepwell.collections.create(app.id, { name: "Sites" });
  const record = await stepwell.records.create(app.id, id, { data: { site: { street: "Main" } } });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/collections/${id}/records/${record.id}`);
  const street = page.getByRole("textbox", { name: "street" });
  await street.fill("Side");
  await page.locator(".live-sign.live").waitFor();
  const url = new RegExp(`/records/${record.id}$`);
  refuse(server, "GET", url, "Not now.");
  const read = page.waitForResponse((response) => url.test(response.url()) && response.status() === 403);
  await stepwell.records.update(app.id, id, record.id, { data: { site: { street: "Other" } } });
  await read;
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  await page.getByText("Not now.").waitFor();
  expect(await street.inputValue()).toBe("Side");
});

it.each([
  ["/runs/run_01m8gm299q00qm726dr5mmwp8z", "Runs"],
  ["/files/afile_01m8gm286r003mdxnqyxajr6h9", "Files"],
  ["/workflows/work_01m8gm28sr00y2gredp4sh0ncv", "Workflows"],
])("names the screen of %s, of which nothing is left, and leads to its list", async (path, section) => {
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}${path}`);
  await page.getByText("Not found", { exact: true }).waitFor();
  expect(await faults()).toEqual([]);
  await page.getByRole("main").getByRole("link", { name: section }).click();
  await page.waitForURL(`**/${section.toLowerCase()}`);
});
