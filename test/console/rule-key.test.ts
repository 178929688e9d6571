/** The key that a new rule gets from its name. */
import { expect, it } from "vitest";
import { ruleKeyOf } from "../../adapters/console/app/collections/rule-key.ts";

it.each([
  ["Credit check", "credit_check"],
  ["  Prüfung – Betrag > 5.000 €! ", "prufung_betrag_5_000"],
  ["信用チェックが", "信用チェックが"],
  ["..", ""],
  ["x".repeat(200), "x".repeat(128)],
])("%j becomes %j", (name, key) => {
  expect(ruleKeyOf(name)).toBe(key);
});
