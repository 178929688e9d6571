/** The reference of the API in the console, in a real browser. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it("lists what a search finds with the best first", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  await go("/docs");
  await page.getByRole("searchbox").fill("start run");
  await page.waitForURL("**/docs?search=start+run");
  await expect.poll(() => page.locator(".operations a code").first().innerText()).toBe("runs.create");
  expect(await faults()).toEqual([]);
});

it("shows examples with what was filled in to try the operation", async () => {
  const { id } = await server.stepwell.tags.create(server.app.id, { name: "Urgent" });
  const { page, go, faults } = await openConsole(browser, server);
  await go("/docs/tags.update");
  const example = page.locator(".example code");
  await page.getByText("Try it", { exact: true }).click();
  await page.getByRole("tab", { name: "client" }).click();
  await expect.poll(() => example.innerText()).toContain('client.tags.update("me", tagId, {})');
  await page.getByLabel("tag_id").fill(id);
  await page.getByLabel("Body application/json").fill('{ "name": "Later" }');
  await expect.poll(() => example.innerText()).toContain(`client.tags.update("me", "${id}", { "name": "Later" })`);
  await page.getByRole("tab", { name: "curl" }).click();
  await expect.poll(() => example.innerText()).toContain(`/apps/me/tags/${id}" \\`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("region", { name: "Response" }).getByText("200 OK").waitFor();
  expect((await server.stepwell.tags.get(server.app.id, id)).name).toBe("Later");
  expect(await faults()).toEqual([]);
});
