/** Browsers that do not let the page write to the clipboard, such as without HTTPS. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Report", steps: [] });
await stepwell.workflows.deploy(app.id, workflow);

it.each([
  ["refuses", true],
  ["has no clipboard", false],
])("shows the text where the browser %s", async (_, hasClipboard) => {
  const { id } = await stepwell.runs.create(app.id, workflow, {});
  const { page, go, faults } = await openConsole(browser, server);
  await page.addInitScript((hasIt) => {
    const refuse = () => Promise.reject(new DOMException("Write permission denied.", "NotAllowedError"));
    Object.defineProperty(navigator, "clipboard", { value: hasIt ? { writeText: refuse } : undefined });
  }, hasClipboard);
  await go(`/apps/${app.id}/runs/${id}`);
  await page.getByRole("button", { name: "More actions" }).first().click();
  await page.getByRole("menuitem", { name: "Copy link" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The browser did not allow copying.").waitFor();
  expect(await dialog.getByRole("textbox").inputValue()).toBe(page.url());
  expect(await faults()).toEqual([]);
});
