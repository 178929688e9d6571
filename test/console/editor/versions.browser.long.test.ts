/** The list of workflows, versions, and their differences. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { createWorkflow } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const code = (key: string, text = "return 1"): Step => ({ type: "code", key, code: text });

describe("workflows", () => {
  it("are found, copied and imported", async () => {
    const { id } = await createWorkflow(server, "Daily report", [code("a")]);
    await createWorkflow(server, "Other");
    const { page, go, faults } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/workflows`);
    await page.getByLabel("Search workflows").fill("daily");
    await page.getByRole("link", { name: "Other" }).waitFor({ state: "detached" });
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Actions of Daily report" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Daily report (copy)" }).waitFor();
    const bundle = await server.stepwell.workflows.export(server.app.id, id, "draft");
    await go(`/apps/${server.app.id}/workflows`);
    await page.getByRole("button", { name: "Import…" }).click();
    await page.getByLabel("JSON").fill(JSON.stringify(bundle));
    await page.getByText("There is already a workflow “Daily report”. The imported one gets this name.").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Daily report (2)");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { name: "Daily report (2)", exact: true }).waitFor();
  });

  it("are downloaded with their name, which an import proposes, and asked for a name if they have none", async () => {
    const { path } = await createWorkflow(server, "Loan & intake", [code("a")]);
    const { page, go, faults } = await openConsole(browser, server);
    await go(path);
    await page.getByRole("main").getByRole("button", { name: "More" }).first().click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Download the draft (JSON)" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    expect(JSON.parse(text)).toMatchObject({ name: "Loan & intake", steps: [{ key: "a" }] });
    await go(`/apps/${server.app.id}/workflows`);
    await page.getByRole("button", { name: "Import…" }).click();
    const name = page.getByLabel("Name", { exact: true });
    await page.getByLabel("JSON").fill(text);
    await page.getByText("There is already a workflow “Loan & intake”.").waitFor();
    expect(await name.inputValue()).toBe("Loan & intake (2)");
    await page.getByText("The document has a draft. The imported workflow is not deployed.").waitFor();
    await page.getByLabel("JSON").fill(JSON.stringify({ steps: [code("b")] }));
    await page.getByText("There is already a workflow").waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Imported workflow");
    await name.fill("By hand");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { name: "By hand", exact: true }).waitFor();
  });

  it("are imported from the file that was chosen last, whichever is read first", async () => {
    await createWorkflow(server, "Imported beside");
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/workflows`);
    await page.evaluate(() => {
      const read = File.prototype.text;
      let isFirst = true;
      File.prototype.text = async function text() {
        const isHeld = isFirst;
        isFirst = false;
        const content = await read.call(this);
        if (isHeld) await new Promise((resolve) => addEventListener("release", resolve, { once: true }));
        return content;
      };
    });
    await page.getByRole("button", { name: "Import…" }).click();
    for (const key of ["first", "second"]) {
      await page.getByLabel("File").setInputFiles({
        name: `${key}.json`,
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify({ steps: [code(key)] })),
      });
    }
    const text = page.getByLabel("JSON");
    await expect.poll(() => text.inputValue()).toContain("second");
    await page.evaluate(() => dispatchEvent(new Event("release")));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await text.inputValue()).toContain("second");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("second");
  });

  it("that are in use are deleted only when asked again", async () => {
    const { id } = await createWorkflow(server, "Used", [code("a")]);
    await server.stepwell.workflows.deploy(server.app.id, id);
    await server.stepwell.schedules.create(server.app.id, { workflow_id: id, every: 86_400 });
    const { page, go } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/workflows`);
    await page.getByRole("button", { name: "Actions of Used" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Deleting it pauses schedules").waitFor();
    await page.getByRole("dialog").getByRole("link").waitFor();
    await page.getByRole("button", { name: "Delete it anyway" }).click();
    await page.getByRole("link", { name: "Used" }).waitFor({ state: "detached" });
    await expect(server.stepwell.workflows.get(server.app.id, id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("versions", () => {
  it("show a step beside the canvas, and code that was added as lines", async () => {
    const text = "const x = 1;\nreturn x;";
    const { id, path } = await createWorkflow(server, "Looked at", [code("a")]);
    const { workflows } = server.stepwell;
    await workflows.deploy(server.app.id, id);
    await workflows.putDraft(server.app.id, id, { steps: [code("a"), code("b", text)] });
    await workflows.deploy(server.app.id, id);
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}/versions/2?view=canvas`);
    await page.locator('[data-step="b"]').click();
    const panel = page.getByRole("complementary", { name: "Step b" });
    await panel.getByText("return x;").waitFor();
    expect(await panel.getByRole("term").allTextContents()).toEqual(["type", "code"]);
    expect(await panel.getByRole("button", { name: "Connect to…" }).count()).toBe(0);
    expect(await faults()).toEqual([]);
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "detached" });
    await go(`${path}/versions/1...2`);
    await page.getByText("added: const x = 1;").waitFor();
  });

  it("are compared by step and line, and rolled back to", async () => {
    const { id, path } = await createWorkflow(server, "Versions", [code("a", "const x = 1;\nreturn x;"), code("b")]);
    const { workflows } = server.stepwell;
    await workflows.deploy(server.app.id, id, { notes: "The first" });
    const steps = [
      { ...code("a", "const x = 2;\nreturn x;"), position: [10, 20] as [number, number] },
      code("renamed"),
    ];
    await workflows.putDraft(server.app.id, id, { steps });
    await workflows.deploy(server.app.id, id);
    const { page, go, faults } = await openConsole(browser, server);
    await go(`${path}/versions`);
    await page.getByText("The first").waitFor();
    const { deployed_at } = await workflows.getVersion(server.app.id, id, 1);
    const date = page.locator(`time[datetime="${deployed_at}"]`);
    expect(await date.innerText()).toMatch(/^now$| ago$/);
    expect(await date.getAttribute("title")).toMatch(/\d{4}, \d+:\d\d:\d\d/);
    expect(await faults()).toEqual([]);
    await go(`${path}/versions`);
    await page.getByRole("button", { name: "Compare with the draft" }).click();
    await page.getByRole("heading", { name: "Version 2 and the draft of Versions", level: 1 }).waitFor();
    await go(`${path}/versions/1...2`);
    await page.getByRole("heading", { name: "Version 1 and version 2 of Versions", level: 1 }).waitFor();
    await page.getByText("0 added, 0 removed, 2 changed").waitFor();
    await page.getByText("removed: const x = 1;").waitFor();
    await page.getByText("Renamed from b").waitFor();
    await page.getByText("1 change of positions and sizes, which change no run").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("tab", { name: "Both canvases" }).click();
    await expect.poll(() => page.getByRole("group", { name: /^Canvas of/ }).count()).toBe(2);
    await go(`${path}/versions/1`);
    expect(await faults()).toEqual([]);
    await go(`${path}/versions`);
    await page.getByRole("button", { name: "More actions: Version 1" }).click();
    await page.getByRole("menuitem", { name: "Roll back to it…" }).click();
    await page.getByRole("button", { name: "Roll back", exact: true }).click();
    await page.getByText("rolled back to v1").waitFor();
    expect((await workflows.getVersion(server.app.id, id, "latest")).rollback_version).toBe(1);
  });

  it("are rolled back to from their page, except the latest", async () => {
    const { id, path } = await createWorkflow(server, "Back", [code("a", "return 1;")]);
    const { workflows } = server.stepwell;
    await workflows.deploy(server.app.id, id);
    await workflows.putDraft(server.app.id, id, { steps: [code("a", "return 2;")] });
    await workflows.deploy(server.app.id, id);
    const { page, go, faults } = await openConsole(browser, server);
    const button = page.getByRole("button", { name: "Roll back to it…" });
    await go(`${path}/versions/2`);
    await page.getByRole("tab", { name: "Canvas" }).waitFor();
    expect(await button.count()).toBe(0);
    await go(`${path}/versions/1`);
    await button.click();
    await page.getByRole("dialog").getByText("0 added, 0 removed, 1 changed").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Roll back", exact: true }).click();
    await page.getByText("Version 3 is deployed").waitFor();
    expect((await workflows.getVersion(server.app.id, id, "latest")).rollback_version).toBe(1);
    await button.waitFor();
  });
});
