/** The preview of a file: CSV and TSV as a table, and every other text as it is. */
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole, type TabOptions } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

/** Opens the screen of a new file. */
async function openFile(name: string, content: string | Uint8Array<ArrayBuffer>, options?: TabOptions) {
  const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const { id } = await server.stepwell.files.create(server.app.id, { name, body });
  const tab = await openConsole(browser, server, options);
  await tab.go(`/apps/${server.app.id}/files/${id}`);
  const preview = tab.page.locator(".file-preview");
  const table = preview.getByRole("region", { name: "Preview" });
  return { ...tab, preview, table };
}

/** The texts of all cells. */
const rowsOf = (table: Locator) =>
  table.locator("tr").evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));

describe("the preview of CSV", () => {
  it("is a table with the header, or the text", async () => {
    const text = 'name;age;note\nAda;36;"a;b"\nGrace;45\n';
    const { preview, table, faults } = await openFile("people.csv", text);
    await table.getByRole("columnheader", { name: "name" }).waitFor();
    expect(await rowsOf(table)).toEqual([
      ["#", "name", "age", "note"],
      ["1", "Ada", "36", "a;b"],
      ["2", "Grace", "45", ""],
    ]);
    expect(await preview.getByText("Showing the first").count()).toBe(0);
    expect(await faults()).toEqual([]);
    await preview.getByRole("button", { name: "Text" }).click();
    await expect.poll(() => preview.locator("pre").textContent()).toBe(text);
    expect(await table.count()).toBe(0);
    await preview.getByRole("button", { name: "Table" }).click();
    await table.waitFor();
    expect(await preview.locator("pre").count()).toBe(0);
  });

  it("is a table of TSV, whatever commas it has", async () => {
    const { table } = await openFile("people.tsv", "last, first, other\tage\nLovelace, Ada\t36\n");
    await table.getByRole("cell", { name: "Lovelace, Ada", exact: true }).waitFor();
  });

  it("is read in the encoding of the import", async () => {
    const { table } = await openFile("preise.csv", new Uint8Array([0x61, 0x3b, 0x62, 10, 0xfc, 0x3b, 0x80, 10]));
    await table.getByRole("cell", { name: "ü" }).waitFor();
    await table.getByRole("cell", { name: "€" }).waitFor();
  });

  it("says how many rows and columns it has of a long one, without the row that is cut", async () => {
    const wide = Array.from({ length: 80 }, (_, index) => `c${index}`).join(",");
    const long = `x${"ü".repeat(400)}`;
    const { table, preview } = await openFile("long.csv", `${wide}\n${`1,2,${long}\n`.repeat(400)}`);
    await preview.getByText("Showing the first 80 rows.").waitFor();
    await preview.getByText("Showing the first 50 of 80 columns.").waitFor();
    expect(await table.locator("tbody tr").count()).toBe(80);
    expect(await table.locator("thead th").count()).toBe(51);
    // Its cell is cut, also where it would have room.
    expect(await table.locator("tbody tr").last().locator("td").nth(2).textContent()).toBe(`${long.slice(0, 200)}…`);
    await preview.getByRole("button", { name: "Text" }).click();
    await preview.getByText("Showing the first 64 KiB of").waitFor();
    expect(await preview.getByText("�").count()).toBe(0);
  });

  it("scrolls in its own box, also with the keyboard", async () => {
    const wide = Array.from({ length: 30 }, (_, index) => `column ${index}`).join(",");
    const { page, table } = await openFile("wide.csv", `${wide}\n${wide}\n`, {
      viewport: { width: 390, height: 844 },
    });
    await table.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await table.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
    await table.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => table.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0);
  });

  it.each([
    ["en", "\u05d0"],
    ["ar", "a"],
  ])("shows the beginning of a long cell that runs against the language %s", async (language, letter) => {
    const { page, preview } = await openFile("against.csv", `name\n${letter.repeat(190)}\n`);
    const settings = JSON.stringify({ language });
    await page.addInitScript((text) => localStorage.setItem("stepwell-settings", text), settings);
    await page.reload();
    const cell = preview.locator("td");
    await cell.waitFor();
    const isBeginningSeen = await cell.evaluate((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const text = walker.nextNode();
      if (text === null) throw new Error("The cell is empty.");
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, 1);
      const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      return letter.left >= box.left && letter.right <= box.right;
    });
    expect(isBeginningSeen).toBe(true);
    expect(await cell.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  });

  it("shows what comes from anyone as text that changes nothing around it", async () => {
    const hostile = "<img src=x onerror=alert(1)>\u202e=cmd()";
    const { table, faults } = await openFile("hostile.csv", `${hostile},,\u05d0\n${hostile},__proto__,1\n`);
    await table.waitFor();
    const shown = "<img src=x onerror=alert(1)>⟨U+202E⟩=cmd()";
    expect(await rowsOf(table)).toEqual([
      ["#", shown, "Column 2", "\u05d0"],
      ["1", shown, "__proto__", "1"],
    ]);
    expect(await table.locator("img").count()).toBe(0);
    expect(await table.locator("td, thead th + th").count()).toBe(await table.locator("td > bdi, th > bdi").count());
    expect(await faults()).toEqual([]);
  });

  it.each([
    ["unclosed.csv", 'a,b\n"1,2\n'],
    ["header.csv", "x".repeat(70_000)],
    ["notes.txt", "a,b\n1,2\n"],
  ])("is the text of what is no table: %s", async (name, text) => {
    const { preview, table } = await openFile(name, text);
    await expect.poll(async () => (await preview.locator("pre").textContent())?.slice(0, 8)).toBe(text.slice(0, 8));
    expect(await table.count()).toBe(0);
    expect(await preview.getByRole("button").count()).toBe(0);
  });
});
