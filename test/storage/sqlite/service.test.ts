/** A whole service on a SQLite store, before and after a restart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import sqlite from "../../../adapters/storage/sqlite/sqlite.ts";
import { createStepwell } from "../../../src/index.ts";
import { silent } from "../../support/storage/open.ts";

it("keeps apps, workflows, runs, records and files, and finds them by filter and by text", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-sqlite-"));
  const start = () =>
    createStepwell({ storage: { entities: sqlite({ file: join(folder, "store.db") }) }, logger: silent });
  const stepwell = start();
  const { id: app } = await stepwell.apps.create({ name: "Loans" });
  const workflow = await stepwell.workflows.create(app, {
    name: "Ask",
    steps: [
      { type: "note", key: "note", note: "Starts", destinations: ["ask"] },
      { type: "input", key: "ask", input: { amount: { type: "number" } } },
    ],
  });
  await stepwell.workflows.deploy(app, workflow.id);
  const runs = await Promise.all(
    Array.from({ length: 20 }, () => stepwell.runs.create(app, workflow.id, { input: { amount: 1 } })),
  );
  await Promise.all(runs.map(({ id }) => stepwell.runs.wait(app, id)));
  const { id: collection } = await stepwell.collections.create(app, { name: "Loans" });
  const record = await stepwell.records.create(app, collection, { data: { loan: { borrower: "Ada Lovelace" } } });
  const file = await stepwell.files.create(app, { name: "letter.txt", body: new TextEncoder().encode("content") });
  await stepwell.close();

  const again = start();
  expect(await again.runs.list(app, { status: ["succeeded"], take: 5 })).toMatchObject({ total: 20 });
  expect((await again.runs.list(app, { status: ["failed"] })).items).toEqual([]);
  expect((await again.records.list(app, collection, { search: "lovelace" })).items).toMatchObject([{ id: record.id }]);
  expect((await again.records.list(app, collection, { search: "babbage" })).items).toEqual([]);
  const { body } = await again.files.content(app, file.id);
  expect(await new Response(body).text()).toBe("content");
  await again.close();
  rmSync(folder, { recursive: true });
});
