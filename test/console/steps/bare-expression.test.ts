/** Texts that look like an expression without its braces. */
import { expect, it } from "vitest";
import { withBraces } from "../../../adapters/console/app/expressions/bare-expression.ts";
import type { KnownField } from "../../../adapters/console/app/expressions/known-value.ts";

const VARIABLES: readonly KnownField[] = [
  { name: "input", schema: { properties: { name: {}, amount: {} } }, value: undefined },
  { name: "app", schema: { properties: { id: {}, name: {} } }, value: undefined },
  { name: "item", schema: {}, value: undefined },
];

it.each([
  "input.name",
  " input.?name ",
  'input["name"]',
  "input.amount >= 5",
  "input.amount - 1",
  "input.name.upperAscii()",
  "item.a.b[0]",
])("%s lacks braces", (text) => expect(withBraces(text, VARIABLES)).toBe(`{{ ${text.trim()} }}`));

it.each([
  "",
  "input",
  "input.",
  "input.nothing",
  "{{ input.name }}",
  "input.name is missing",
  "app.example.com/a",
  "other.name",
  7,
])("%s is a text", (text) => expect(withBraces(text, VARIABLES)).toBe(null));
