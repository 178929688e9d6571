/** The address of a webhook in the panel of its step. */
import { expect, it } from "vitest";
import { createWorkflow } from "../editor/open-editor.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it("the address of a form is shown once it is deployed, and opens the form", async () => {
  const { id, path } = await createWorkflow(server, "Intake", [
    {
      type: "input",
      key: "start",
      input: { name: { type: "string", name: "Your name" } },
      webhook: { method: "POST", form: true },
    },
  ]);
  const { page, go, faults } = await openConsole(browser, server);
  await go(`${path}?step=start`);
  await page.getByText("Its address is shown here once a version with it is deployed.").waitFor();
  await server.stepwell.workflows.deploy(server.app.id, id);
  const link = page.getByRole("link", { name: new RegExp(`/public/apps/hooks/${server.app.id}/${id}/start$`) });
  await link.waitFor();
  const [form] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await form.getByLabel("Your name").waitFor();
  expect(await faults()).toEqual([]);
});
