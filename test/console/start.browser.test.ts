/** The page when one of its first files cannot be loaded. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it.each(["index", "rolldown-runtime"])("says so without %s, and can be loaded again", async (name) => {
  const { page, faults } = await openConsole(browser, server);
  const session = await page.context().newCDPSession(page);
  await session.send("Network.clearBrowserCache"); // a test before may have loaded the file
  let isMissing = true;
  server.intercept(({ url = "" }, response) => {
    if (!isMissing || !url.includes(`/assets/${name}-`)) return false;
    response.writeHead(404).end();
    return true;
  });
  await page.goto(server.at(`/apps/${server.app.id}/runs`));
  await page.getByText("The console could not be loaded.").waitFor();
  expect(await faults()).toEqual([]);
  isMissing = false;
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  expect(await page.getByText("The console could not be loaded.").count()).toBe(0);
});
