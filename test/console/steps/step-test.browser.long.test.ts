/** Testing one step in its panel. */
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { createWorkflow } from "../editor/open-editor.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { refuse } from "../support/refuse.ts";

const { browser, server } = await openBrowserAndServer();

it("asks for what is missing in the form of a run, with the files that a run takes", async () => {
  const steps: Step[] = [
    {
      type: "input",
      key: "start",
      input: { amount: { type: "number" }, document: { type: "file" } },
      destinations: ["total"],
    },
    { type: "code", key: "total", code: "return { sum: input.amount + 1, name: input.document[0].name };" },
  ];
  const { path } = await createWorkflow(server, "Never run", steps);
  const { page, go, faults } = await openConsole(browser, server);
  await go(`${path}?view=outline&step=total`);
  await page.getByRole("tab", { name: "Data" }).click();
  const test = page.getByRole("region", { name: "Test this step" });
  await test.getByRole("button", { name: "Test this step", exact: true }).click();
  const form = test.getByRole("region", { name: "input" });
  await form.getByText("Is required.").first().waitFor();
  expect(await faults()).toEqual([]);
  await form.getByLabel("amount").fill("41");
  await form.locator("input[type=file]:not([capture])").setInputFiles({
    name: "income.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("6000"),
  });
  await form.getByText("income.txt").first().waitFor();
  await expect
    .poll(async () => (await server.stepwell.files.list(server.app.id)).items.map(({ name }) => name))
    .toContain("income.txt");
  await test.getByRole("button", { name: "Test this step", exact: true }).click();
  await test.locator(".step-result").getByText("income.txt").first().waitFor();
  await test.locator(".step-result").getByText("42", { exact: true }).waitFor();
});

it("says why the values of an earlier run cannot be read, and reads them again", async () => {
  const steps: Step[] = [
    { type: "code", key: "long", code: "return 'x'.repeat(40_000)", destinations: ["size"] },
    { type: "code", key: "size", code: "return steps.long.output.length" },
  ];
  const { id, path } = await createWorkflow(server, "Long values", steps);
  const { stepwell, app } = server;
  await stepwell.workflows.deploy(app.id, id);
  const run = await stepwell.runs.create(app.id, id);
  await stepwell.runs.wait(app.id, run.id);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline&step=size`);
  await page.getByRole("tab", { name: "Data" }).click();
  const test = page.getByRole("region", { name: "Test this step" });
  await test.getByRole("button", { name: /^Test this step with the run of/ }).waitFor();
  const allow = refuse(server, "GET", new RegExp(`/runs/${run.id}$`), "Not now.");
  await test.getByText("Values of the test").click();
  await test.getByText("Not now.").waitFor();
  expect(await test.getByText("Loading", { exact: true }).count()).toBe(0);
  allow();
  await test.getByRole("button", { name: "Try again" }).click();
  await test.getByRole("textbox", { name: "steps" }).waitFor();
});
