/** What is deleted in the console is deleted only when somebody has confirmed it. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

interface Deletable {
  /** Screen that shows it, below the app. */
  readonly path: string;
  /** Name in the question. */
  readonly name: string;
  /** Opens the menu that deletes it. */
  menu(page: Page): Promise<void>;
  read(): Promise<unknown>;
}

const more = (page: Page) => page.locator(".page-head").getByRole("button", { name: "More actions" }).click();

async function workflow(): Promise<Deletable> {
  const { stepwell, app } = server;
  const { id } = await stepwell.workflows.create(app.id, { name: "Unused" });
  return {
    path: "workflows",
    name: "Unused",
    menu: (page) => page.getByRole("button", { name: "Actions of Unused" }).click(),
    read: () => stepwell.workflows.get(app.id, id),
  };
}

async function file(): Promise<Deletable> {
  const { stepwell, app } = server;
  const { id } = await stepwell.files.create(app.id, { name: "offer.txt", body: new TextEncoder().encode("An offer") });
  return { path: `files/${id}`, name: "offer.txt", menu: more, read: () => stepwell.files.get(app.id, id) };
}

async function record(): Promise<Deletable> {
  const { stepwell, app } = server;
  const collection = await stepwell.collections.create(app.id, { name: "Loans" });
  const { id } = await stepwell.records.create(app.id, collection.id, { data: { loan: { number: "A-7" } } });
  return {
    path: `collections/${collection.id}/records/${id}`,
    name: "A-7",
    menu: more,
    read: () => stepwell.records.get(app.id, collection.id, id),
  };
}

describe("deleting", () => {
  it.each([
    ["a workflow", workflow],
    ["a file", file],
    ["a record", record],
  ])("%s asks first, keeps it when canceled, and deletes it when confirmed", async (_, create) => {
    const { path, name, menu, read } = await create();
    const { page, go, faults } = await openConsole(browser, server);
    await go(`/apps/${server.app.id}/${path}`);
    const ask = async () => {
      await menu(page);
      await page.getByRole("menuitem", { name: "Delete" }).click();
      const dialog = page.getByRole("dialog", { name: new RegExp(name) });
      await dialog.waitFor();
      return dialog;
    };
    const first = await ask();
    expect(await faults()).toEqual([]);
    await first.getByRole("button", { name: "Cancel" }).click();
    await first.waitFor({ state: "detached" });
    expect(await read()).toBeTruthy();
    const second = await ask();
    await second.getByRole("button", { name: "Delete", exact: true }).click();
    await second.waitFor({ state: "detached" });
    await expect(read()).rejects.toMatchObject({ code: "not_found" });
    await page.getByText(name, { exact: true }).waitFor({ state: "detached" });
  });
});
