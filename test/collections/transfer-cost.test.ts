/** What an import costs the storage: calls of the driver, counted. */
import { expect, it } from "vitest";
import { openService } from "../support/engine/service.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { isSegment, storedDocuments } from "../support/storage/stored-documents.ts";

const ROWS = 2_000;
const CSV = `e:n\n${Array.from({ length: ROWS }, (_, n) => `${n}\n`).join("")}`;

it("an import reads nothing for its rows, and leaves one document for each", async () => {
  const data = new Map<string, string>();
  const { driver } = faultyDriver(data, "rejects", 0);
  const reads: string[] = [];
  const getItem = driver.getItem.bind(driver);
  driver.getItem = (key, options) => {
    if (isSegment(key)) reads.push(key);
    return getItem(key, options);
  };
  const { stepwell, app } = await openService({ storage: { entities: driver } });
  const { id } = await stepwell.collections.create(app, { name: "Loans" });
  const job = await stepwell.records.import(app, id, CSV);
  await expect.poll(async () => (await stepwell.jobs.get(app, job.id)).done).toBe(ROWS);
  await expect.poll(async () => (await stepwell.jobs.get(app, job.id)).status).toBe("succeeded");
  // A checkpoint reads the rows of a mark that an earlier one has stored; the first batch may be a repeat.
  expect(reads.length).toBeLessThan(ROWS / 100);
  await stepwell.close();
  const kinds = [...storedDocuments(data).keys()].map((key) => key.slice(0, key.indexOf(":")));
  expect(kinds.filter((kind) => kind === "record")).toHaveLength(ROWS);
  expect(kinds.filter((kind) => kind === "record-change" || kind === "import-row")).toEqual([]);
});
