/** Rules, mappings and triggers of a collection, and its list of records. */
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();

async function openCollection(name: string) {
  const { stepwell, app } = server;
  const { id } = await stepwell.collections.create(app.id, { name });
  const workflow = await stepwell.workflows.create(app.id, {
    name: `Check of ${name}`,
    steps: [{ type: "input", key: "in", input: {} }],
  });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const tab = await openConsole(browser, server);
  return { ...tab, id, workflow: workflow.id, path: `/apps/${app.id}/collections/${id}` };
}

it("proposes the key of a new rule, and says how its workflow reads the record", async () => {
  const { page, go, path, id, workflow, faults } = await openCollection("Rules");
  await go(`${path}/settings?section=rules`);
  await page.getByRole("button", { name: "New rule" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Credit check");
  await expect.poll(() => dialog.getByLabel("Key").inputValue()).toBe("credit_check");
  await dialog.getByText("reads the field loan:amount").or(dialog.getByText("input.record.data.loan.amount")).waitFor();
  await dialog.getByLabel("Key").fill("own");
  await dialog.getByLabel("Name", { exact: true }).fill("Credit checks");
  await expect.poll(() => dialog.getByLabel("Key").inputValue()).toBe("own");
  await dialog.getByLabel("Workflow", { exact: true }).selectOption(workflow);
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("rowheader", { name: "Credit checks" }).waitFor();
  const { config } = await server.stepwell.collections.get(server.app.id, id);
  expect(config.rules.map(({ key }) => key)).toEqual(["own"]);
});

it("says that mappings are saved, until one is changed", async () => {
  const { page, go, path, faults } = await openCollection("Mappings");
  await go(`${path}/settings?section=mappings`);
  await page.getByRole("button", { name: "Add a mapping" }).click();
  await page.getByLabel("Source field").fill("loan:amount");
  await page.getByLabel("Destination fields").fill("loan:total");
  await page.getByRole("button", { name: "Save" }).click();
  const saved = page.getByRole("status").getByText("Saved.", { exact: true });
  await saved.waitFor();
  expect(await faults()).toEqual([]);
  // The same sentence, as a new part of the status: it is said again.
  await saved.evaluate((said) => said.classList.add("first"));
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".first").waitFor({ state: "detached" });
  await saved.waitFor();
  await page.getByLabel("Source field").fill("loan:sum");
  await expect.poll(() => saved.count()).toBe(0);
});

it("puts the focus on the source field of a new mapping, and names the buttons that remove one", async () => {
  const { page, go, path } = await openCollection("New mappings");
  await go(`${path}/settings?section=mappings`);
  const add = page.getByRole("button", { name: "Add a mapping" });
  await add.click();
  await page.keyboard.type("loan:amount");
  await add.click();
  await focusAt(page, ".mapping:last-of-type input");
  expect(await page.getByLabel("Source field").first().inputValue()).toBe("loan:amount");
  await page.getByRole("button", { name: "Remove: loan:amount", exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove: Mapping 2", exact: true }).waitFor();
});

it("keeps the fields of a mapping in line when one of them is wrong", async () => {
  const { page, go, path } = await openCollection("Lines");
  await go(`${path}/settings?section=mappings`);
  await page.getByRole("button", { name: "Add a mapping" }).click();
  await page.getByRole("button", { name: "Add a mapping" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".field-error").first().waitFor();
  await page.getByLabel("Destination fields").first().fill("city");
  await page.getByLabel("Destination fields").last().fill("city");
  // What is typed is not wrong any more, also before the field is left.
  await expect.poll(() => page.locator(".field-error").count()).toBe(2);
  for (const row of await page.locator(".mapping").all()) {
    const inputs = await row.locator("input").all();
    const [first, ...others] = await Promise.all([...inputs, row.getByRole("button")].map(bottomOf));
    expect(others).toEqual([first, first]);
  }
});

it("asks before the rules run on records, with the number of runs, and shows the title of a record", async () => {
  const { page, go, path, id, workflow, faults } = await openCollection("Loans");
  const { stepwell, app } = server;
  await stepwell.records.create(app.id, id, { data: { loan: { number: "L-1" } } });
  await stepwell.records.create(app.id, id, { data: { loan: { number: "L-2" } } });
  await go(path);
  const more = page.getByRole("main").getByRole("button", { name: "More" });
  const evaluate = page.getByRole("menuitem", { name: "Run the rules on these records" });
  await more.click();
  await evaluate.getByText("No rule checks these records.").waitFor();
  for (const key of ["a", "b"]) {
    await stepwell.rules.create(app.id, id, { name: key, key, workflow_id: workflow });
  }
  await go(path);
  await page.getByRole("columnheader", { name: "Rule results" }).waitFor();
  await more.click();
  await evaluate.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This starts up to 4 runs: one for each rule and record.").waitFor();
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "Run the rules" }).click();
  await dialog.getByText("2 evaluated, 0 failed").waitFor();
  await dialog.locator("footer").getByRole("button", { name: "Close" }).click();
  await page.getByRole("rowheader").getByRole("link", { name: "L-2" }).click();
  await page.getByRole("heading", { level: 1, name: "L-2" }).waitFor();
});

it("asks for the mappings of a trigger in one place that scrolls", async () => {
  const { page, go, path, faults } = await openCollection("Triggers");
  await go(`${path}/settings?section=triggers`);
  await page.getByRole("button", { name: "New trigger" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Mappings", { exact: true }).waitFor();
  expect(await dialog.getByText("Settings", { exact: true }).count()).toBe(1);
  expect(await dialog.getByText("Mappings (optional)", { exact: true }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Add to Mappings" }).click();
  await dialog.getByRole("button", { name: "Add to Path in the event" }).click();
  await expect.poll(() => dialog.getByText("Paste several lines").count()).toBe(0);
  const scrolled = await dialog.evaluate((element) =>
    [element, ...element.querySelectorAll("*")]
      .filter((one) => one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY))
      .map((one) => one.className),
  );
  expect(scrolled).toEqual(["dialog-body"]);
  expect(await faults()).toEqual([]);
});

const bottomOf = (one: Locator) => one.evaluate((element) => Math.round(element.getBoundingClientRect().bottom));

it("is told apart from its records by heading and title, and led to by links", async () => {
  const { page, go, path } = await openCollection("Named");
  await go(`${path}/settings`);
  await page.getByRole("heading", { level: 1, name: "Settings – Named" }).waitFor();
  expect(await page.title()).toBe("Settings – Named · Stepwell");
  await page.getByRole("main").getByRole("link", { name: "Records" }).click();
  await focusAt(page, "h1", "Named");
  await expect.poll(() => page.title()).toBe("Named · Stepwell");
  await go(`/apps/${server.app.id}/collections`);
  await page.keyboard.press("Control+k");
  await page.locator(".command-menu input").fill("tags");
  await page.getByRole("option", { name: "Tags", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
});
