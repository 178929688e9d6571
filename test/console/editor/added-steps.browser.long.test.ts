/** Where steps come that are added behind others, and what is said of it. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Step } from "../../../src/workflows/step.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { chooseKind, createWorkflow, storedDraft, untilFocused, untilStored } from "./open-editor.ts";

const { browser, server } = await openBrowserAndServer();

const code = (key: string, ...destinations: string[]): Step => ({ type: "code", key, code: "return 1", destinations });

const EACH: readonly Step[] = [
  {
    type: "code",
    key: "each",
    code: "return item",
    for_each: { items: "[1]" },
    on_error: [{ destinations: ["rescue"] }],
  },
  { type: "code", key: "rescue", code: "return 1" },
];

const SIZE: readonly Step[] = [
  {
    type: "branch",
    key: "size",
    conditions: { hi: { condition: "true", destinations: ["a"], order: 0 } },
    else: ["b"],
  },
  code("a"),
  code("b"),
];

const row = (page: Page, key: string) => page.locator(`.outline [data-step="${key}"]`);
const place = (page: Page, view: string, key: string) => page.locator(`.${view} [data-step="${key}"]`);

it.each(["outline", "canvas"])("adds a step behind one that leads somewhere only after an error: %s", async (view) => {
  const { id, path } = await createWorkflow(server, `Rescued in the ${view}`, [...EACH]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=${view}&step=each`);
  await place(page, view, "each").focus();
  await page.keyboard.press("a");
  await chooseKind(page, "http");
  await page.getByText("request was added.").waitFor();
  await untilStored(server, id, ["each", "request", "rescue"]);
  const [each, request] = (await storedDraft(server, id)).steps;
  expect(each).toMatchObject({ destinations: ["request"], on_error: [{ destinations: ["rescue"] }] });
  expect(request).not.toHaveProperty("destinations");
});

it("says in the outline that a step ends there unless it fails, and what each way of it depends on", async () => {
  const { path } = await createWorkflow(server, "Only after errors", [...EACH, ...SIZE]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline`);
  await row(page, "each").getByText("ends here unless it fails").waitFor();
  const names = () =>
    page.getByRole("treeitem").evaluateAll((rows) => rows.map((one) => one.getAttribute("aria-label") ?? ""));
  await expect
    .poll(names)
    .toEqual(
      expect.arrayContaining([
        expect.stringContaining("leads to rescue (on error)"),
        expect.stringContaining("leads to a (hi), b (else)"),
      ]),
    );
});

it.each(["outline", "canvas"])("names the way of a branch that a step is added under: %s", async (view) => {
  const { id, path } = await createWorkflow(server, `Branch in the ${view}`, [...SIZE]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=${view}&step=size`);
  await place(page, view, "size").focus();
  await page.keyboard.press("a");
  await expect.poll(() => page.getByLabel("When").inputValue()).toBe("else");
  await chooseKind(page, "http");
  await page.getByText("request was added under “Else”.").waitFor();
  await untilStored(server, id, ["size", "request", "a", "b"]);
  expect((await storedDraft(server, id)).steps.slice(0, 2)).toMatchObject([
    { conditions: { hi: { destinations: ["a"] } }, else: ["request"] },
    { destinations: ["b"] },
  ]);
});

it("names the way at each plus of the outline", async () => {
  const { path } = await createWorkflow(server, "Named ways", [...SIZE]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=outline&step=size`);
  await row(page, "size").focus();
  await page.getByRole("button", { name: "Add after: Else" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("button", { name: "Add here: If hi" }).waitFor();
});

it("puts the copy of a branch behind it, and says where", async () => {
  const { id, path } = await createWorkflow(server, "Copied branch", [...SIZE]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas&step=size`);
  await place(page, "canvas", "size").focus();
  await page.keyboard.press("Control+d");
  await page.getByText("size_2 was added under “Else”.").waitFor();
  await untilFocused(page, "size_2");
  await untilStored(server, id, ["size", "size_2", "a", "b"]);
  expect((await storedDraft(server, id)).steps.slice(0, 2)).toMatchObject([
    { conditions: { hi: { destinations: ["a"] } }, else: ["size_2"] },
    { conditions: { hi: { destinations: [] } }, else: ["b"] },
  ]);
});

it("counts the steps that are deleted together", async () => {
  const { path } = await createWorkflow(server, "Deleted together", [code("a", "b"), code("b", "c"), code("c")]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas&step=c`);
  await place(page, "canvas", "c").click();
  await page.keyboard.down("Control");
  await place(page, "canvas", "b").click();
  await page.keyboard.up("Control");
  await page.keyboard.press("Delete");
  await page.getByText(/^2 steps were deleted: [bc], [bc]\. Ctrl Z brings them back\.$/).waitFor();
});

it("names an edge to the second step with a key in letters that can be read", async () => {
  const { path } = await createWorkflow(server, "Twice", [code("a"), code("a")]);
  const { page, go } = await openConsole(browser, server);
  await go(`${path}?view=canvas`);
  await page.getByLabel("Edge from a to a (1)", { exact: true }).waitFor({ state: "attached" });
});
