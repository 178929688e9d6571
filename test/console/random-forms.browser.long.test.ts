/** Random definitions as the page draws them: filled in, they give an input that the server accepts as it is. */
import fc from "fast-check";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { isRecord, type JsonObject, type JsonValue } from "../../src/json.ts";
import { choicesOf, hasChoices } from "../../src/workflows/field-options.ts";
import type { InputDefinition, InputField } from "../../src/workflows/input/input-field.ts";
import { formWithInput } from "../support/forms/arbitrary-form.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

const MAX_BOXES = 12;

async function fillAll(page: Page, definition: InputDefinition, values: JsonObject, place: string): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    const field = Object.hasOwn(definition, key) ? definition[key] : undefined;
    const own = `${place}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (field === undefined) {
      const extra = at(page, place).getByRole("group", { name: "Other values" }).last();
      await extra.getByRole("button", { name: "Add a value" }).click();
      await extra.getByLabel("Name").last().fill(key);
      await extra.getByRole("textbox", { name: key, exact: true }).fill(String(value));
    } else await fillField(page, field, value, own);
  }
}

const at = (page: Page, place: string): Locator => page.locator(`[data-place=${JSON.stringify(place)}]`);

async function fillField(page: Page, field: InputField, value: JsonValue, place: string): Promise<void> {
  const box = at(page, place);
  if (field.array !== true) return fillOne(page, field, value, place);
  const values = Array.isArray(value) ? value : [];
  if (hasChoices(field) && (choicesOf(field) ?? []).length <= MAX_BOXES) {
    for (const one of values) await box.getByLabel(String(one), { exact: true }).check();
    return;
  }
  const isOpen = field.type === "select" && field.additional_options === true;
  for (const [index, one] of values.entries()) {
    if (hasChoices(field)) await box.getByRole("combobox").selectOption({ label: String(one) });
    else if (isOpen) {
      await box.getByRole("combobox").fill(String(one));
      await box.getByRole("combobox").press("Enter");
    } else {
      await box.locator(".after-rows > button").last().click();
      await fillOne(page, field, one, `${place}/${index}`);
    }
  }
}

async function fillOne(page: Page, field: InputField, value: JsonValue, place: string): Promise<void> {
  const box = at(page, place);
  await box.waitFor({ state: "attached" });
  if (field.type === "object") {
    if (field.optional === true && field.array !== true) {
      await box
        .getByRole("button", { name: /^Fill in/ })
        .first()
        .click();
    }
    return fillAll(page, field.fields, isRecord(value) ? (value as JsonObject) : {}, place); // part of JSON
  }
  if (field.type === "boolean") {
    // Without a default, a person says yes or no.
    if (field.array !== true && (await box.getByRole("radio").count()) > 0) {
      await box.getByLabel(value === true ? "Yes" : "No", { exact: true }).check();
    } else await box.getByRole("checkbox").setChecked(value === true);
  } else if (hasChoices(field)) {
    const radio = box.getByRole("radio");
    if ((await radio.count()) > 0) await box.getByLabel(String(value), { exact: true }).check();
    else await box.getByRole("combobox").selectOption({ label: String(value) });
  } else if (field.type === "datetime") await box.locator("input").fill(String(value).replace(/:00Z$/, ""));
  else await box.locator("input, textarea").fill(String(value));
}

/** Values in the order of the choices, as boxes give them. */
const sorted = (value: JsonValue): unknown =>
  Array.isArray(value)
    ? value.map(sorted).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
    : isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sorted(one as JsonValue)])) // part of JSON
      : value;

it("forms of random definitions, filled in, start runs with exactly what was filled in", async () => {
  const { stepwell, app } = server;
  const { page, go } = await openConsole(browser, server, { timezoneId: "UTC" });
  for (const { definition, input } of fc.sample(formWithInput, { numRuns: 8, seed: 7 })) {
    const { id } = await stepwell.workflows.create(app.id, { name: "Random", input: definition, steps: [] });
    await stepwell.workflows.deploy(app.id, id);
    await go(`/apps/${app.id}/workflows/${id}/new-run`);
    await page.locator(".form-fields").first().waitFor();
    await fillAll(page, definition, input, "");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.waitForURL(/\/runs\/run_/);
    const run = await stepwell.runs.get(app.id, page.url().split("/").at(-1) ?? "");
    expect(sorted(run.input)).toEqual(sorted(input));
  }
});
