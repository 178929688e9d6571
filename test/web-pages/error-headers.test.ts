/** The headers of errors, such as when to try again, are those of web pages too. */
import { expect, it } from "vitest";
import { StepwellError } from "../../src/errors.ts";
import { respondToForm, respondToStartForm, showForm, showStartForm } from "../../src/forms/page/respond.ts";
import { type FoundUpload, respondToUpload } from "../../src/uploads/page/page.ts";

const request = () => new Request("https://flows.test/public/form", { headers: { accept: "text/html" } });
const LIMITS = { bodyBytes: 1, fileBytes: 1 };
const OPEN: FoundUpload = {
  status: { status: "open", expires_at: "2030-01-01T00:00:00.000Z", max_size: 1, allowed_types: null },
  sender: { name: "Lending", color: null },
};
const full = () => Promise.reject(new StepwellError("too_many_requests", "full", { headers: { "retry-after": "7" } }));

it.each([
  ["a form", () => showForm(request(), full)],
  ["a submitted form", () => respondToForm(request(), LIMITS, full, full)],
  ["a start form", () => showStartForm(request(), full)],
  ["a submitted start form", () => respondToStartForm(request(), LIMITS, full, full)],
  ["a submitted file", () => respondToUpload(request(), full, async () => OPEN)],
])("%s says when to try again", async (_, respond) => {
  const { status, headers } = await respond();
  expect([status, headers.get("retry-after"), headers.get("content-type")]).toEqual([
    429,
    "7",
    "text/html; charset=utf-8",
  ]);
  expect(headers.get("cache-control")).toBe("no-store");
});
