/** The form that starts a run: what was typed is kept, and said only if it differs from the form as it was. */
import { describe, expect, it } from "vitest";
import type { InputDefinition, Step } from "../../src/index.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { holdNext } from "./support/hold-next.ts";

const { browser, server } = await openBrowserAndServer();

it("says that it has restored what was typed only if that is not the same as before", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Greeting",
    input: { who: { type: "string", name: "Who" } },
    steps: [
      { type: "input", key: "start", input: {}, destinations: ["approve"] },
      { type: "input", key: "approve", input: {} },
    ],
  });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go } = await openConsole(browser, server);
  const open = () => go(`/apps/${app.id}/workflows/${id}/new-run`);
  const kept = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  const field = page.getByLabel("Who");
  const notice = page.getByText("Restored from what you typed earlier.");
  await open();
  await page.getByText("Any input step can start a run. The steps before it are not executed.").waitFor();
  await field.fill("Ada");
  await expect.poll(kept).toContain("Ada");
  await field.fill("");
  await expect.poll(kept).not.toContain("Ada");
  await open();
  await field.waitFor();
  expect(await notice.count()).toBe(0);
  await field.fill("Grace");
  await expect.poll(kept).toContain("Grace");
  await open();
  await notice.waitFor();
  expect(await field.inputValue()).toBe("Grace");
});

it("starts a run with the value that is being typed when its keys are pressed, and once while they are held", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Marked",
    input: {
      marks: {
        type: "select",
        array: true,
        options: [{ value: "rush", label: "Rush" }],
        additional_options: true,
        name: "Marks",
      },
    },
    steps: [{ type: "input", key: "start", input: {} }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  await page.getByRole("combobox", { name: "Add to Marks" }).fill("urgent");
  await page.keyboard.down("Control");
  for (let presses = 0; presses < 5; presses++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await page.keyboard.up("Control");
  await page.waitForURL("**/runs/*");
  const { items } = await stepwell.runs.list(app.id, { workflow_id: id });
  const runs = await Promise.all(items.map((run) => stepwell.runs.get(app.id, run.id)));
  expect(runs.map(({ input }) => input)).toEqual([{ marks: ["urgent"] }]);
});

it("starts one run, however often somebody presses Enter", async () => {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Once",
    steps: [{ type: "input", key: "start", input: { who: { type: "string", name: "Who" } } }],
  });
  await stepwell.workflows.deploy(app.id, id);
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
  });
  const creation = holdNext(server, "POST", /\/runs$/);
  const field = page.getByLabel("Who");
  await field.fill("Ada");
  await field.press("Enter");
  await creation.arrived;
  await field.press("Enter");
  creation.release();
  await page.waitForURL("**/runs/run_*");
  expect(sent).toEqual([`/apps/${app.id}/workflows/${id}/runs`]);
});

it("keeps what was typed into the fields that another version and another start step have, too", async () => {
  const { stepwell, app } = server;
  const step = (key: string, input: InputDefinition): Step => ({ type: "input", key, input });
  const { id } = await stepwell.workflows.create(app.id, {
    name: "Versions",
    steps: [
      step("start", { who: { type: "string", name: "Who" }, count: { type: "number", name: "Count" } }),
      step("other", { who: { type: "string", name: "Who" } }),
    ],
  });
  await stepwell.workflows.deploy(app.id, id);
  await stepwell.workflows.putDraft(app.id, id, {
    steps: [
      step("start", {
        who: { type: "string", name: "Person" },
        day: { type: "string", name: "Day", default: "Monday" },
      }),
    ],
  });
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/workflows/${id}/new-run`);
  await page.getByLabel("Who").fill("Ada");
  await page.getByLabel("Count").fill("3");
  await page.getByLabel("Starts at").selectOption("other");
  await page.getByLabel("Count").waitFor({ state: "detached" });
  await expect.poll(() => page.getByLabel("Who").inputValue()).toBe("Ada");
  await page.getByLabel("Version").selectOption("draft");
  await page.getByLabel("Day").waitFor();
  expect(await page.getByLabel("Person").inputValue()).toBe("Ada");
  expect(await page.getByLabel("Day").inputValue()).toBe("Monday");
  await page.getByLabel("Person").fill("Grace");
  await page.getByLabel("Version").selectOption("latest");
  await page.getByLabel("Count").waitFor();
  expect(await page.getByLabel("Who").inputValue()).toBe("Grace");
  // Also after a reload.
  await page.reload();
  await expect.poll(() => page.getByLabel("Who").inputValue()).toBe("Grace");
});

describe("a version that is deployed while the form is open", () => {
  const input = (name: string): Step => ({
    type: "input",
    key: "start",
    input: { who: { type: "string", name: "Who" }, [name]: { type: "string", name } },
  });

  async function openAndDeploy() {
    const { stepwell, app } = server;
    const { id } = await stepwell.workflows.create(app.id, { name: "Deployed since", steps: [input("First")] });
    await stepwell.workflows.deploy(app.id, id);
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${app.id}/workflows/${id}/new-run`);
    await page.getByLabel("Who").fill("Ada");
    await stepwell.workflows.putDraft(app.id, id, { steps: [input("Second")] });
    await stepwell.workflows.deploy(app.id, id);
    await page.getByText("Version 2 has been deployed since this form was opened.").waitFor();
    return page;
  }

  it("takes the place of the first one when somebody wants it, with what was typed", async () => {
    const page = await openAndDeploy();
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByLabel("Second").fill("2");
    expect(await page.getByLabel("Who").inputValue()).toBe("Ada");
    expect(await page.getByText("has been deployed since").count()).toBe(0);
    await page.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL("**/runs/run_*");
    await page.getByRole("link", { name: "Deployed since v2" }).waitFor();
  });

  it("is not the one that is run with a form of the first", async () => {
    const page = await openAndDeploy();
    await page.getByLabel("First").fill("1");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL("**/runs/run_*");
    await page.getByRole("link", { name: "Deployed since v1" }).waitFor();
  });
});

describe("what was typed for a version whose fields another one has not", () => {
  const first: InputDefinition = {
    name: { type: "string", name: "Name" },
    amount: { type: "number", name: "Amount", optional: true },
    note: { type: "string", name: "Note", optional: true },
  };
  const second: InputDefinition = {
    fullname: { type: "string", name: "Full name" },
    amount: { type: "boolean", name: "Amount", optional: true },
    note: { type: "string", name: "Note", optional: true },
  };
  const definition = (input: InputDefinition) => ({ steps: [{ type: "input" as const, key: "start", input }] });

  async function openAndType() {
    const { stepwell, app } = server;
    const { id } = await stepwell.workflows.create(app.id, { name: "Renamed", ...definition(first) });
    await stepwell.workflows.deploy(app.id, id);
    const { page, go } = await openConsole(browser, server);
    const open = () => go(`/apps/${app.id}/workflows/${id}/new-run`);
    await open();
    await page.getByLabel("Name").fill("Ten minutes of text");
    await page.getByLabel("Amount").fill("12.5");
    await page.getByLabel("Note").fill("Same");
    const deploy = async () => {
      await stepwell.workflows.putDraft(app.id, id, definition(second));
      await stepwell.workflows.deploy(app.id, id);
    };
    const left = page.locator(".without-place");
    const version = page.getByLabel("Version", { exact: true });
    const chosen = () => version.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label);
    const kept = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
    const isFirst = async () => {
      await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Ten minutes of text");
      expect(await page.getByLabel("Amount").inputValue()).toBe("12.5");
      expect(await page.getByLabel("Note").inputValue()).toBe("Same");
    };
    const isSecond = async () => {
      await page.getByLabel("Full name").waitFor();
      expect(await page.getByLabel("Full name").inputValue()).toBe("");
      expect(await page.getByLabel("Note").inputValue()).toBe("Same");
    };
    return { page, open, deploy, left, version, chosen, kept, isFirst, isSecond };
  }

  it("is named when the new one is taken, and is there again with the first one", async () => {
    const { page, deploy, left, version, chosen, kept, isFirst, isSecond } = await openAndType();
    expect(await chosen()).toBe("Latest (version 1)");
    await deploy();
    await page.getByText("Version 2 has been deployed since this form was opened.").waitFor();
    expect(await chosen()).toBe("Version 1");
    await page.getByRole("button", { name: "Use it" }).click();
    await isSecond();
    expect(await chosen()).toBe("Latest (version 2)");
    await left.getByText("Ten minutes of text").waitFor();
    expect(await left.locator("dt").allTextContents()).toEqual(["Name", "Amount"]);
    expect(await left.locator("dd").allTextContents()).toEqual(["Ten minutes of text", "12.5"]);
    await page.getByLabel("Full name").fill("Ada");
    await left.getByRole("button", { name: "Dismiss" }).click();
    await left.waitFor({ state: "detached" });
    await version.selectOption({ label: "Version 1" });
    await isFirst();
    expect(await left.locator("dd").allTextContents()).toEqual(["Ada"]);
    await page.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL("**/runs/run_*");
    expect(await kept()).not.toContain("Ten minutes");
  });

  it("is named when the form is opened again, and is there again with the first one", async () => {
    const { page, open, deploy, left, version, kept, isFirst, isSecond } = await openAndType();
    await expect.poll(kept).toContain("Same");
    await deploy();
    await open();
    await isSecond();
    await page.getByText("Restored from what you typed earlier.").waitFor();
    expect(await left.locator("dd").allTextContents()).toEqual(["Ten minutes of text", "12.5"]);
    await version.selectOption({ label: "Version 1" });
    await isFirst();
    expect(await left.count()).toBe(0);
    // And to and fro, also by the name of the latest version.
    await version.selectOption("latest");
    await isSecond();
    await page.reload();
    await isSecond();
    await version.selectOption({ label: "Version 1" });
    await isFirst();
  });

  it("is forgotten when the form is cleared; the newer version can also be chosen as the latest", async () => {
    const { page, deploy, left, version, chosen, kept, isSecond } = await openAndType();
    await deploy();
    await expect.poll(chosen).toBe("Version 1");
    await version.selectOption({ label: "Latest (version 2)" });
    await isSecond();
    await left.waitFor();
    await page.getByRole("button", { name: "Clear the form" }).click();
    await left.waitFor({ state: "detached" });
    await expect.poll(kept).not.toContain("Ten minutes");
  });
});
