/** Links that nobody created. */
import { expect, it } from "vitest";
import { createStepwell } from "../../src/index.ts";
import { countingDriver } from "../support/storage/counting.ts";
import { silent } from "../support/storage/open.ts";

const BASE = "https://stepwell.test/automation";

it("a link to a file gets 404 and stores nothing before the first link is created", async () => {
  const { driver, writes } = countingDriver();
  const stepwell = createStepwell({ baseUrl: BASE, logger: silent, storage: { entities: driver } });
  const { id: app } = await stepwell.apps.create({ name: "Tests" });
  const { id } = await stepwell.files.create(app, { name: "a.txt", body: new Uint8Array(3) });
  const before = writes();
  const query = new URLSearchParams({ app, expires: "99999999999", signature: "0".repeat(64) });
  const response = await stepwell.fetch(new Request(`${BASE}/public/apps/files/${id}/content?${query}`));
  expect(response.status).toBe(404);
  expect(writes()).toBe(before);
  // A link without a receipt stores no more than the secret of all links.
  const { url } = await stepwell.files.createLink(app, id);
  const created = writes();
  await stepwell.files.createLink(app, id);
  expect(writes()).toBe(created);
  expect((await stepwell.fetch(new Request(url))).status).toBe(200);
  await stepwell.close();
});
