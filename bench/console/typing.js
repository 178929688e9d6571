/** What a keystroke costs the page, in the fields that have most to do. */
import { median } from "../measure.js";
import { keyWork, openTab, TYPED } from "./tab.js";

const MOST_MS = 16;

export async function measureTyping({ browser, server, floor, budgets }) {
  const tab = await openTab(browser, server);
  const { page } = tab;
  const draft = (query) => tab.path(`/workflows/${server.large[200]}?${query}`);

  await page.goto(tab.path(`/workflows/${server.form}/new-run`));
  await type("run form, text", page.getByLabel("Applicant"));

  for (const view of ["canvas", "outline"]) {
    await page.goto(draft(`view=${view}&step=step_5`));
    // Until the editor of code is loaded, a plain field stands in its place.
    await page.locator(".step-editor .code-editor-host").first().waitFor();
    await type(`code of a step beside the ${view} of 200`, page.getByRole("textbox", { name: "Code", exact: true }));
    const condition = page.getByRole("textbox", { name: "Only if" });
    // The section is open once there is a condition.
    if (!(await condition.isVisible())) await page.getByText("When", { exact: true }).click();
    await type("expression of the same", condition);
  }

  await page.goto(draft("view=json"));
  const json = page.locator(".definition-text").getByRole("textbox");
  await json.click();
  await page.keyboard.press("Control+Home");
  for (let line = 0; line < 3; line++) await page.keyboard.press("ArrowDown");
  await type("JSON of 200 steps", null);
  await tab.close();

  /** @param field null: the one with the focus */
  async function type(what, field) {
    await field?.click();
    await page.keyboard.press("End");
    const { key, factor } = await floor.typingSlowness();
    budgets.setSlowness(factor);
    const times = await keyWork(page, tab.work);
    const typed = await page.evaluate(readFocused);
    if (!typed.includes(TYPED)) throw new Error(`${what}: the keys did not reach the field: ${typed.slice(0, 300)}`);
    budgets.time(`keystroke: ${what}`, median(times), MOST_MS);
    budgets.note("the longest", Math.max(...times), "ms");
    budgets.note("a key in a plain field", key, "ms");
  }
}

/** The text of the field with the focus. Runs in the page. */
function readFocused() {
  const host = document.activeElement;
  const field = host?.shadowRoot?.activeElement ?? host;
  return "value" in (field ?? {}) ? field.value : (field?.textContent ?? "");
}
