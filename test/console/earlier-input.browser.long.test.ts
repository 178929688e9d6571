/** The input of an earlier run: what nobody has changed is sent as it was. */
import { describe, expect, it } from "vitest";
import type { InputDefinition } from "../../src/index.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const given: InputDefinition = {
  at: { type: "datetime", name: "At" },
  local: { type: "datetime", name: "Local" },
  note: { type: "string", name: "Note", optional: true },
  free: { type: "object", name: "Free", additional_fields: true, fields: {} },
};
const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Loan", input: given, steps: [] });
await stepwell.workflows.deploy(app.id, workflow);
const { id: earlier } = await stepwell.runs.create(app.id, workflow, {
  input: { at: "2027-01-31T09:30:00+05:30", local: "2027-03-14T02:30", note: null, free: { "": 1, more: null } },
});
const { input } = await stepwell.runs.get(app.id, earlier);

describe("the input of an earlier run", () => {
  it("is replayed as it is until it is changed, also as JSON", async () => {
    const { page, go } = await openConsole(browser, server, { timezoneId: "America/New_York" });
    const open = async () => {
      await go(`/apps/${app.id}/runs/${earlier}`);
      await page.getByRole("button", { name: "Replay…" }).click();
      await page.getByRole("dialog").getByLabel("At", { exact: true }).waitFor();
    };
    const start = async () => {
      await page.getByRole("button", { name: "Start the run" }).click();
      await page.waitForURL((url) => url.pathname.includes("/runs/run_") && !url.pathname.endsWith(earlier));
      return (await stepwell.runs.get(app.id, page.url().split("/").at(-1) ?? "")).input;
    };
    await open();
    expect(await page.getByLabel("At", { exact: true }).inputValue()).toBe("2027-01-30T23:00");
    expect(await start()).toEqual(input);
    await open();
    await page.getByRole("dialog").getByRole("button", { name: "Edit as JSON" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Edit as a form" }).waitFor();
    expect(await start()).toEqual(input);
    await open();
    await page.getByRole("dialog").getByLabel("Note").fill("new");
    // A value without a name has to get one now.
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).first().click();
    expect(await start()).toMatchObject({ at: input["at"], local: input["local"], note: "new" });
  });

  it("stays as it is beside a field that is changed, in both forms", async () => {
    const place: InputDefinition = { street: { type: "string", optional: true }, city: { type: "string" } };
    const { id } = await stepwell.workflows.create(app.id, {
      name: "Places",
      input: { note: { type: "string", name: "Note" }, place: { type: "object", name: "Place", fields: place } },
      steps: [],
    });
    await stepwell.workflows.deploy(app.id, id);
    const input = { note: "old", place: { street: null, city: "Rome" } };
    const first = await stepwell.runs.create(app.id, id, { input });
    const { page, go } = await openConsole(browser, server);
    const started = async (button: string) => {
      await page.getByRole("button", { name: button }).click();
      await page.waitForURL((url) => url.pathname.includes("/runs/run_") && !url.pathname.endsWith(first.id));
      return (await stepwell.runs.get(app.id, page.url().split("/").at(-1) ?? "")).input;
    };
    await go(`/apps/${app.id}/runs/${first.id}`);
    await page.getByRole("button", { name: "Replay…" }).click();
    await page.getByRole("dialog").getByLabel("Note").fill("new");
    expect(await started("Start the run")).toEqual({ ...input, note: "new" });
    await go(`/apps/${app.id}/workflows/${id}/new-run?from=${first.id}`);
    await page.getByLabel("Note").fill("newer");
    expect(await started("Start run")).toEqual({ ...input, note: "newer" });
  });

  it("is shown and sent as it is by the form of a new run", async () => {
    const { page, go } = await openConsole(browser, server, { timezoneId: "America/New_York" });
    await go(`/apps/${app.id}/workflows/${workflow}/new-run?from=${earlier}`);
    const json = page.getByRole("textbox", { name: "Input as JSON" });
    await expect.poll(async () => JSON.parse(await json.inputValue())).toEqual(input);
    await page.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL(/\/runs\/run_/);
    const started = await stepwell.runs.get(app.id, page.url().split("/").at(-1) ?? "");
    expect(started.input).toEqual(input);
    // What is typed as JSON keeps its moments, too.
    await go(`/apps/${app.id}/workflows/${workflow}/new-run`);
    const typed = { at: "2028-01-31T09:30:00+05:30", local: "2028-03-14T02:30", free: {} };
    await json.fill(JSON.stringify(typed));
    await page.getByLabel("Note").fill("typed");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL((url) => url.pathname.includes("/runs/run_") && !url.pathname.endsWith(started.id));
    const run = await stepwell.runs.get(app.id, page.url().split("/").at(-1) ?? "");
    expect(run.input).toMatchObject({ ...typed, note: "typed" });
  });
});
