/** The title of a record. */
import { expect, it } from "vitest";
import { recordTitle } from "../../adapters/console/app/records/record-title.ts";

it.each([
  ["the name", { loan: { number: 7, name: "Car" } }, "Car"],
  ["a name in any entity, in any case", { loan: { amount: 5 }, person: { Name: "Ada" } }, "Ada"],
  ["a number where there is no name", { loan: { amount: 5, number: 7 } }, "7"],
  ["the id where nothing is like a name", { loan: { amount: 5 } }, "rec_1"],
  ["the id where nothing of the name would be seen", { loan: { name: " \u200b" } }, "rec_1"],
])("is %s", (_, data, title) => {
  expect(recordTitle({ id: "rec_1", data })).toBe(title);
});
