/** The trigger types that a server has, as editors get them. */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { blankForm, fillForm } from "../../src/forms/model/fill-entry.ts";
import { createNotation } from "../../src/forms/model/notation.ts";
import { readForm } from "../../src/forms/model/read-entry.ts";
import { joinedModel } from "../../src/forms/model/schema-model.ts";
import { createStepwell, defineTrigger, type Stepwell } from "../../src/index.ts";
import { silent } from "../support/engine/service.ts";

const notation = createNotation("en");

const opened: Stepwell[] = [];
afterEach(async () => {
  for (const stepwell of opened.splice(0)) await stepwell.close();
});
function open(): Stepwell {
  const stepwell = createStepwell({ logger: silent, triggers: [shipments] });
  opened.push(stepwell);
  return stepwell;
}

const shipments = defineTrigger({
  name: "shipments",
  title: "Shipments",
  config: v.variant("by", [
    v.strictObject({ by: v.literal("depot"), depot: v.string() }),
    v.strictObject({ by: v.literal("route"), route: v.number() }),
  ]),
  connection: v.object({ token: v.string() }),
  poll: () => ({ events: [] }),
});

describe("triggerTypes.list", () => {
  it("describes the built-in types and those of the host, sorted by name", async () => {
    const stepwell = open();
    expect(await stepwell.triggerTypes.list()).toMatchObject([
      {
        name: "loan_origination",
        needs_connection: false,
        connection: { type: "object" },
        receives: true,
        polls: true,
        has_sample: false,
      },
      { name: "poll", title: "Poll a URL", needs_connection: false, connection: null, receives: false, polls: true },
      { name: "shipments", title: "Shipments", needs_connection: true, receives: false, polls: true },
      { name: "webhook", title: "Webhook", connection: null, receives: true, polls: false },
    ]);
  });

  it("has schemas whose form gives a config that the server accepts", async () => {
    const stepwell = open();
    const app = await stepwell.apps.create({ name: "Lending" });
    const collection = await stepwell.collections.create(app.id, { name: "Loans" });
    const mappings = [{ type: "key", entity_path: "loan:id", input_path: ["id"], name: "Id" }];
    const settings = {
      webhook: { mappings, id_path: ["data", "id"], pull_on_folders: ["A"] },
      poll: { mappings, url: "https://example.com/list", id_path: ["id"], interval: 60 },
      loan_origination: { mappings },
    };
    for (const [type, config] of Object.entries(settings)) {
      const described = (await stepwell.triggerTypes.list()).find(({ name }) => name === type);
      const model = joinedModel(described?.common_config ?? null, described?.config ?? null);
      const entry = fillForm(model, config, notation);
      expect(JSON.stringify(entry)).not.toContain('"kind":"raw"');
      const { value, problems } = readForm(model, entry, notation);
      expect({ value, problems }).toEqual({ value: config, problems: [] });
      const created = await stepwell.triggers.create(app.id, collection.id, {
        ...{ name: type, type },
        config: { ...config, type },
      });
      const stored = readForm(model, fillForm(model, JSON.parse(JSON.stringify(created.config)), notation), notation);
      const { type: _, ...others } = created.config;
      expect(stored.value).toMatchObject(others);
    }
  });

  it("has the common settings in each variant of a type with alternatives", async () => {
    const stepwell = open();
    const described = (await stepwell.triggerTypes.list()).find(({ name }) => name === "shipments");
    const model = joinedModel(described?.common_config ?? null, described?.config ?? null);
    const given = { by: "route", route: 7, mappings: [], interval: 60 };
    expect(readForm(model, fillForm(model, given, notation), notation)).toEqual({ value: given, problems: [] });
    expect(readForm(model, blankForm(model, notation), notation).value).toMatchObject({ by: "depot", mappings: [] });
  });
});
