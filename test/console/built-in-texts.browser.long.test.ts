/** What the server has built in speaks the language of the page: services, ways to sign in, trigger types and colors. */
import { describe, expect, it } from "vitest";
import { createWorkflow } from "./editor/open-editor.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { type ConsoleTab, openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

async function inGerman(): Promise<ConsoleTab> {
  const tab = await openConsole(browser, server);
  await tab.page.addInitScript(() => localStorage.setItem("stepwell-settings", JSON.stringify({ language: "de" })));
  return tab;
}

describe("in German", () => {
  it("a service step is chosen by its German name or its name in definitions, and has German settings", async () => {
    const note = { type: "note", key: "about", note: "Text" } as const;
    const { path } = await createWorkflow(server, "Waits", [note]);
    const { page, go, faults } = await inGerman();
    await go(`${path}?view=outline`);
    await page.getByRole("button", { name: "Schritt hinzufügen" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Schritt hinzufügen" });
    await dialog.getByText("Dienste: Formulare für Personen").waitFor();
    await dialog.getByRole("option", { name: /^Link zu einem Formular erstellen/ }).waitFor();
    await dialog.getByRole("combobox", { name: "Art, Dienst oder Aktion" }).fill("scheduler delay");
    const [option, ...others] = await dialog.getByRole("option").all();
    expect(others).toEqual([]);
    await option?.click();
    await page.getByText(/^Hält den Lauf für eine Zahl von Sekunden an/).waitFor();
    const service = page.getByRole("combobox", { name: "Dienst" });
    const labels = await service.getByRole("option").allInnerTexts();
    expect(labels).toContain("Zeitsteuerung (scheduler)");
    expect(labels).toContain("Regeln (rules)");
    expect(await faults()).toEqual([]);
    await service.selectOption({ label: "Datensätze (records)" });
    await page.getByText("Id einer Sammlung der App.").waitFor();
  });

  it("a new connection has German ways to sign in and German fields", async () => {
    const { page, go, faults } = await inGerman();
    await go(`/apps/${server.app.id}/connections`);
    await page.getByRole("button", { name: "Neue Verbindung" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Dienst").selectOption({ label: "HTTP" });
    await dialog.getByText("Wird als Authorization: Bearer TOKEN gesendet.").waitFor();
    await dialog.getByText(/^Basis-URL der API\. Stepwell hängt/).waitFor();
    await dialog.getByLabel(/^Typ von/).selectOption({ label: "Query-Parameter" });
    await dialog.getByLabel("Name des Parameters").waitFor();
    await dialog.getByLabel("Dienst").selectOption({ label: "Kreditvergabe" });
    await dialog.getByText("URL, die die Änderungen von Krediten auflistet.").waitFor();
    expect(await faults()).toEqual([]);
  });

  it("a new trigger has German types and settings", async () => {
    const { id } = await server.stepwell.collections.create(server.app.id, { name: "Loans" });
    const { page, go, faults } = await inGerman();
    await go(`/apps/${server.app.id}/collections/${id}/settings?section=triggers`);
    await page.getByRole("button", { name: "Neuer Trigger" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Typ", { exact: true }).selectOption({ label: "URL abfragen" });
    await dialog.getByText("Sekunden zwischen zwei Abfragen. Standard: 300.").waitFor();
    await dialog.getByRole("group", { name: /^Pfad zu den Elementen/ }).waitFor();
    expect(await faults()).toEqual([]);
  });

  it("the color that a tag has without a choice is named in German, and others as they were written", async () => {
    await server.stepwell.tags.create(server.app.id, { name: "New" });
    await server.stepwell.tags.create(server.app.id, { name: "Old", color: "tomato" });
    const { page, go } = await inGerman();
    await go(`/apps/${server.app.id}/tags`);
    await page.getByRole("row", { name: /^New/ }).getByRole("cell", { name: "Grau", exact: true }).waitFor();
    await page.getByRole("row", { name: /^Old/ }).getByRole("cell", { name: "tomato", exact: true }).waitFor();
  });
});

it("stays as the server says it where the server no longer has the texts", async () => {
  const { page, go } = await inGerman();
  await page.route(/\/built-ins-de-/, (route) => route.fulfill({ status: 404, body: "" }));
  await go(`/apps/${server.app.id}/connections`);
  await page.getByRole("button", { name: "Neue Verbindung" }).first().click();
  await page.getByRole("dialog").getByLabel("Dienst").selectOption({ label: "Loan origination" });
  await page.getByText("URL that lists the changes of loans.").waitFor();
});

it("a language that is chosen later has its texts, too", async () => {
  const { page, go } = await openConsole(browser, server);
  const connections = `/apps/${server.app.id}/connections`;
  await go(connections);
  await page.getByRole("button", { name: "New connection" }).first().click();
  await page.getByRole("dialog").getByLabel("Service").selectOption({ label: "Loan origination" });
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("deutsch");
  await page.getByRole("option", { name: /Deutsch/ }).click();
  await page.getByRole("button", { name: "Neue Verbindung" }).first().click();
  await page.getByRole("dialog").getByLabel("Dienst").selectOption({ label: "Kreditvergabe" });
  await page.getByText("URL, die die Änderungen von Krediten auflistet.").waitFor();
});
