/** The items and the repetitions of a step, one by one. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it("a loop that failed shows the repetition that failed, with its log", async () => {
  const { stepwell, app } = server;
  const code = 'console.log("round " + iteration);\nif (iteration === 3) throw new Error("broke");\nreturn iteration;';
  const workflow = await stepwell.workflows.create(app.id, {
    name: "Rounds",
    steps: [
      { type: "input", key: "start", input: {} },
      { type: "code", key: "rounds", code, loop: "output == 9" },
    ],
  });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const { id } = await stepwell.runs.create(app.id, workflow.id);
  await stepwell.runs.wait(app.id, id);
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/runs/${id}?step=rounds&tab=items`);
  const parts = page.locator(".part-list > li");
  await expect.poll(() => parts.count()).toBe(1);
  await parts.getByRole("button", { name: /Repetition 3/ }).click();
  await page.getByRole("tab", { name: "Log" }).click();
  await expect.poll(() => page.locator(".log-lines").allInnerTexts()).toEqual(["round 3"]);
  await page.getByRole("tab", { name: /Repetitions|Items/ }).click();
  await page.getByRole("checkbox", { name: "Only failed ones" }).uncheck();
  await expect.poll(() => parts.count()).toBe(3);
  expect(await faults()).toEqual([]);
});
