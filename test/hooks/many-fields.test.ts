/** Webhooks accept forms with a limited number of fields, which is checked before the fields are decoded. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestService, type TestService } from "../../src/testing/index.ts";

let service: TestService;
let path = "";
beforeAll(async () => {
  service = await createTestService();
  const steps = [{ type: "input" as const, key: "in", input: {}, webhook: { method: "POST" as const, path: "in" } }];
  const { id } = await service.stepwell.workflows.create(service.app, { name: "Open", steps });
  await service.stepwell.workflows.deploy(service.app, id);
  path = `/public/apps/hooks/${service.app}/in`;
});
afterAll(() => service.close());

const names = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36));

const urlEncoded = (count: number) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: names(count)
    .map((name) => `${name}=`)
    .join("&"),
});

const multipart = (count: number) => {
  const parts = names(count).map((name) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n\r\n`);
  return { headers: { "content-type": "multipart/form-data; boundary=b" }, body: `${parts.join("")}--b--\r\n` };
};

const post = (init: RequestInit) =>
  service.stepwell.fetch(new Request(`http://localhost${path}`, { method: "POST", ...init }));

it.each([
  ["application/x-www-form-urlencoded", urlEncoded],
  ["multipart/form-data", multipart],
])("a webhook accepts 10,000 fields as %s, and returns 413 for more", async (_, encoded) => {
  expect((await post(encoded(10_000))).status).toBe(202);
  const response = await post(encoded(10_001));
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({
    code: "too_large",
    detail: "The form exceeds the limit of 10000 fields.",
  });
});

it("a webhook doesn't count empty fields, which a form ignores", async () => {
  const init = { headers: { "content-type": "application/x-www-form-urlencoded" }, body: `${"&".repeat(20_000)}a=1` };
  const response = await post(init);
  expect(response.status).toBe(202);
  const { id } = await response.json();
  expect((await service.stepwell.runs.wait(service.app, id)).output).toEqual({ a: "1" });
});
