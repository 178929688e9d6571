/** Fields with names that every object inherits, such as `constructor`, are shown and filled in as all others. */
import { expect, it } from "vitest";
import type { InputDefinition } from "../../src/index.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const NAMES = ["constructor", "toString", "hasOwnProperty", "valueOf"];
const all = <Value>(value: (name: string) => Value) => Object.fromEntries(NAMES.map((name) => [name, value(name)]));

const { browser, server } = await openBrowserAndServer();

it("in some of the records of a collection", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.collections.create(app.id, { name: "Firms" });
  const { page, go } = await openConsole(browser, server);
  await stepwell.records.create(app.id, id, { data: { firm: all((name) => `${name} of the first`) } });
  const other = await stepwell.records.create(app.id, id, { data: { firm: { n: 1 }, constructor: { n: 2 } } });
  await go(`/apps/${app.id}/collections/${id}`);
  await page.getByRole("cell", { name: "constructor of the first" }).waitFor();
  expect(await page.getByRole("row").count()).toBe(3);
  await go(`/apps/${app.id}/collections/${id}/records/${other.id}`);
  await page.getByLabel("n", { exact: true }).first().fill("3");
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(async () => (await stepwell.records.get(app.id, id, other.id)).data)
    .toEqual({ firm: { n: 3 }, constructor: { n: 2 } });
});

it("in the input of a workflow, its editor and the output of a run", async () => {
  const { stepwell, app } = server;
  const input: InputDefinition = all(() => ({ type: "string" }) as const);
  const workflow = await stepwell.workflows.create(app.id, {
    name: "Inherited",
    input,
    steps: [{ type: "code", key: "constructor", code: 'return [{ constructor: "a", n: 1 }, { n: 2 }];' }],
  });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${workflow.id}?step=constructor`);
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByText("hasOwnProperty").first().waitFor();
  await go(`/apps/${app.id}/workflows/${workflow.id}/new-run`);
  for (const name of NAMES) await page.getByLabel(name, { exact: true }).fill(`${name}!`);
  await page.getByRole("button", { name: "Start run" }).click();
  await page.waitForURL(/\/runs\/run_/);
  const id = page.url().split("/").at(-1) ?? "";
  expect((await stepwell.runs.get(app.id, id)).input).toEqual(all((name) => `${name}!`));
  await stepwell.runs.wait(app.id, id);
  await go(`/apps/${app.id}/runs/${id}?step=constructor&tab=output`);
  await page.getByRole("group", { name: "Show as" }).getByRole("button", { name: "Table" }).click();
  await page.getByRole("row", { name: "1 2" }).waitFor();
});
