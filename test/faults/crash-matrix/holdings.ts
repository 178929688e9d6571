/** The records and files of an app after its runs, in a comparable form. */
import type { Service } from "../../support/engine/service.ts";

/** A line for each record and file, without ids and times. */
export async function holdingsOf({ stepwell, app }: Service): Promise<readonly string[]> {
  const records: string[] = [];
  for (const { id, name } of (await stepwell.collections.list(app)).items) {
    const { items } = await stepwell.records.list(app, id, { take: 1_000 });
    for (const { data, version, rule_results } of items) {
      const results = rule_results.map(({ key, result }) => [key, result]);
      records.push(`record ${JSON.stringify([name, version, data, results])}`);
    }
  }
  const { items } = await stepwell.files.list(app, { take: 1_000 });
  const files = items.map(async ({ id, name, sha256 }) => {
    const { body } = await stepwell.files.content(app, id);
    const { byteLength } = await new Response(body).arrayBuffer();
    return `file ${JSON.stringify([name, byteLength, sha256])}`;
  });
  return [...records, ...(await Promise.all(files))].sort();
}

/** Waits until all rules have results: some may still execute after their writer ended. */
export async function waitUntilSettled(service: Service): Promise<readonly string[]> {
  for (;;) {
    const lines = await holdingsOf(service);
    if (!lines.some((line) => line.includes('"PENDING"'))) return lines;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
