import { expect, it } from "vitest";
import { controlId } from "../../adapters/console/app/forms/form-context.ts";

it("the id of a control has no white space, and any name may be in it", () => {
  expect(controlId("f", "/first name/\ttab")).not.toMatch(/\s/);
  expect(controlId("f", "/a\ud800")).toBe(controlId("f", "/a\ufffd"));
});
