/** Random schemas with alternatives as the page draws them: filled in, the library gets what was filled in. */
import fc from "fast-check";
import type { Locator, Page } from "playwright-core";
import * as v from "valibot";
import { expect, it } from "vitest";
import { closestVariant } from "../../src/forms/model/closest-variant.ts";
import type { Shape } from "../../src/forms/model/form-model.ts";
import { createNotation } from "../../src/forms/model/notation.ts";
import { schemaModel } from "../../src/forms/model/schema-model.ts";
import { defineService } from "../../src/index.ts";
import { isRecord, type JsonObject, type JsonValue } from "../../src/json.ts";
import { jsonSchemaOf } from "../../src/services/action-schema.ts";
import { schemaWithValue } from "../support/forms/arbitrary-schema.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const notation = createNotation("en");
const samples = fc.sample(schemaWithValue, { numRuns: 10, seed: 11 });
/** The credentials that were stored, by the service. */
const stored = new Map<string, unknown>();
const nameOf = (index: number) => `service-${index}`;

const services = samples.map(({ schema }, index) =>
  defineService({
    name: nameOf(index),
    connection: v.pipe(
      schema,
      v.check((credentials) => {
        stored.set(nameOf(index), credentials);
        return true;
      }),
    ),
    actions: { none: { input: v.object({}), output: v.object({}), run: async () => ({}) } },
  }),
);

const { browser, server } = await openBrowserAndServer({ services });

const at = (page: Page, place: string): Locator => page.locator(`[data-place=${JSON.stringify(place)}]`);
const placeIn = (place: string, part: string | number) =>
  `${place}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** @param box What has the controls of the value, and before them nothing of their kind. */
async function fill(page: Page, box: Locator, shape: Shape, value: JsonValue, place: string): Promise<void> {
  switch (shape.kind) {
    case "variants": {
      const chosen = closestVariant(shape, value, notation) ?? 0;
      const control = box.locator(".variants-control").first();
      if (shape.look === "dropdown") await control.locator("> select").selectOption(String(chosen));
      else await control.locator("> .options input").nth(chosen).check();
      const variant = shape.variants[chosen];
      if (variant !== undefined) await fill(page, control.locator("> .variant"), variant.shape, value, place);
      return;
    }
    case "object":
      return fillObject(page, box, shape, isRecord(value) ? (value as JsonObject) : {}, place); // part of JSON
    case "list":
      for (const [index, one] of (Array.isArray(value) ? value : []).entries()) {
        await box.locator(".list-control > .after-rows > button").first().click();
        await fill(
          page,
          at(page, placeIn(place, index)).locator("> .row-control"),
          shape.item,
          one,
          placeIn(place, index),
        );
      }
      return;
    case "boolean":
      if (shape.hasThirdState) await box.getByLabel(value === true ? "Yes" : "No", { exact: true }).check();
      else await box.getByRole("checkbox").setChecked(value === true);
      return;
    case "choice": {
      const position = shape.choices.findIndex((one) => one.value === value);
      await box.getByRole("radio").nth(position).check();
      return;
    }
    case "constant":
      return;
    default:
      if (value !== null) await box.locator("input, textarea").first().fill(String(value));
  }
}

async function fillObject(
  page: Page,
  box: Locator,
  shape: Extract<Shape, { kind: "object" }>,
  value: JsonObject,
  place: string,
): Promise<void> {
  for (const field of shape.fields) {
    const found = Object.hasOwn(value, field.key) ? value[field.key] : undefined;
    if (found === undefined || field.shape.kind === "constant") continue;
    const own = placeIn(place, field.key);
    const inner = at(page, own);
    if (field.shape.kind === "object" && field.isOptional) {
      await inner
        .getByRole("button", { name: /^Fill in/ })
        .first()
        .click();
    }
    await fill(page, inner, field.shape, found, own);
  }
  const known = new Set(shape.fields.map(({ key }) => key));
  const extra = box.locator(".extra-values").last();
  for (const [name, one] of Object.entries(value)) {
    if (known.has(name)) continue;
    await extra.locator("> button").click();
    const row = extra.locator(".extra-value").last();
    await row.getByLabel("Name", { exact: true }).fill(name);
    await fill(page, row.locator("> .value"), shape.extra, one, placeIn(place, name));
  }
}

it("credentials of random schemas, filled in, are stored as they were filled in", async () => {
  const { app } = server;
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/connections`);
  for (const [index, { schema, value }] of samples.entries()) {
    const model = schemaModel(await jsonSchemaOf(schema));
    await page.getByRole("button", { name: "New connection" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Service").selectOption(nameOf(index));
    await fill(page, dialog.locator(".form-fields"), model, value, "");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(stored.get(nameOf(index))).toEqual(value);
  }
});
