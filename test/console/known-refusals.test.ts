/** What the server says of values that do not fit their fields, in the language of the page. */
import { expect, it } from "vitest";
import { refusalText } from "../../adapters/console/app/forms/refusals/known-refusals.ts";
import { loadMessages } from "../../adapters/console/app/texts/language.ts";
import { createStepwell, type InputDefinition, isStepwellError } from "../../src/index.ts";
import { silent } from "../support/engine/service.ts";

const FIELDS: InputDefinition = {
  required: { name: "A", type: "string" },
  list: { name: "B", type: "string", array: true },
  file: { name: "C", type: "file", optional: true },
  number: { name: "D", type: "number", optional: true },
  yes: { name: "E", type: "boolean", optional: true },
  url: { name: "F", type: "string", validation: "url", optional: true },
  date: { name: "G", type: "date", optional: true },
  datetime: { name: "H", type: "datetime", optional: true },
  time: { name: "I", type: "time", optional: true },
  choice: { name: "J", type: "select", options: [{ value: "red" }, { value: "blue" }], optional: true },
};
const WRONG = {
  list: [],
  file: [1],
  number: "x",
  yes: "x",
  url: "x",
  date: "x",
  datetime: "x",
  time: "x",
  choice: "x",
};

/** What the server itself says of each field. */
async function refusals(): Promise<readonly string[]> {
  const stepwell = createStepwell({ baseUrl: "http://test.example", logger: silent });
  const app = await stepwell.apps.create({ name: "Tests" });
  const steps = [{ type: "input" as const, key: "start", input: FIELDS }];
  const workflow = await stepwell.workflows.create(app.id, { name: "All", steps });
  await stepwell.workflows.deploy(app.id, workflow.id);
  const refused = await stepwell.runs.create(app.id, workflow.id, { input: WRONG }).catch((error: unknown) => error);
  await stepwell.close();
  if (!isStepwellError(refused)) throw refused;
  return refused.errors.map(({ message }) => message);
}

it("says in English what the server says", async () => {
  const { forms } = await loadMessages("en");
  const messages = [
    ...(await refusals()),
    "Must be at least 2.",
    "Must be at most 3.",
    "Must have at most 9 characters.",
  ];
  for (const message of messages) expect.soft(refusalText(message, forms.refusals)).toBe(message);
});

it("says in German what the server says of each kind of field", async () => {
  const { forms } = await loadMessages("de");
  const found = await refusals();
  expect(found).toHaveLength(Object.keys(FIELDS).length);
  for (const message of found) expect.soft(refusalText(message, forms.refusals)).not.toBe(message);
  expect(refusalText("Is required.", forms.refusals)).toBe("Füllen Sie dieses Feld aus.");
  expect(refusalText('Must be one of "red", "blue".', forms.refusals)).toBe('Möglich sind: "red", "blue".');
});

it("leaves a sentence alone that it does not know", async () => {
  const { forms } = await loadMessages("de");
  const message = 'Must be one of "a", not "b". Did you mean "a"?';
  expect(refusalText(message, forms.refusals)).toBe(message);
});
