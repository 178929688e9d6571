/** A process that creates and deletes records at once, and prints what is acknowledged, until it is done or killed. */
import { writeSync } from "node:fs";
import fs from "../../adapters/storage/fs/fs.ts";
import { createStepwell } from "../../src/index.ts";
import { silent } from "../support/storage/open.ts";

const [base = "", app = "", collection = "", writes = "0"] = process.argv.slice(2);
const { collections, records, close } = createStepwell({
  storage: { entities: fs({ base }), checkpointRecords: 50 },
  logger: silent,
});

const existing: string[] = [];
for (let page_token: string | undefined; ; ) {
  const page = await records.list(app, collection, { take: 1_000, ...(page_token && { page_token }) });
  existing.push(...page.items.map(({ id }) => id));
  page_token = page.next_page_token;
  if (page_token === undefined) break;
}

async function create(n: number): Promise<void> {
  const { id } = await records.create(app, collection, { data: { loan: { n } } });
  writeSync(1, `+ ${id}\n`);
}

async function remove(id: string): Promise<void> {
  writeSync(1, `begins ${id}\n`);
  await records.remove(app, collection, id);
  writeSync(1, `- ${id}\n`);
}

/** Every third write deletes a record of an earlier process. */
const acts = Array.from({ length: Number(writes) }, (_, n) => {
  const id = n % 3 === 0 ? existing.pop() : undefined;
  return id === undefined ? create(n) : remove(id);
});
await Promise.all(acts);
const { records_count } = await collections.get(app, collection);
writeSync(1, `count ${records_count}\n`);
await close();
