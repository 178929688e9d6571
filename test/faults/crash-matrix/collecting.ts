/** Kills processes whose collection is written by triggers, and checks that each event became one record. */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import fs from "../../../adapters/storage/fs/fs.ts";
import { defineTrigger, repairStorage } from "../../../src/index.ts";
import { note, openService, silent } from "../../support/engine/service.ts";
import type { CollectingOrder, CollectingReport } from "./collecting-order.ts";
import { type Death, live } from "./life.ts";
import type { Survival } from "./matrix.ts";

export interface Collecting {
  /** @throws AssertionError when an event became no record, or two, or anything of a record differs from it */
  survive(deaths: readonly Death[]): Promise<Survival>;
  close(): Promise<void>;
}

const PROCESS = join(import.meta.dirname, "collecting-process.ts");
/** Some come twice, and not in order. */
const EVENTS = [3, 1, 2, 3, 5, 4, 1, 6];
const ITEMS = 6;

export async function openCollecting(): Promise<Collecting> {
  const folder = await mkdtemp(join(tmpdir(), "stepwell-collecting-"));
  const template = join(folder, "template");
  const prepared = await prepare(template);
  let folders = 0;

  async function survive(deaths: readonly Death[]): Promise<Survival> {
    const base = join(folder, String(folders++));
    cpSync(template, base, { recursive: true });
    const sent: string[] = [];
    let took: number | undefined;
    for (let kills = 0; ; kills++) {
      const order = { ...prepared, base, events: EVENTS, items: ITEMS };
      const life = await live<CollectingReport>(PROCESS, order, deaths[kills] ?? null);
      took ??= life.took;
      sent.push(...life.ended);
      if (life.report === null) continue;
      compare(life.report, sent);
      await checkStored(base);
      rmSync(base, { recursive: true });
      return { kills, runs: life.report.records.length, requests: sent.length, took };
    }
  }

  return { survive, close: async () => rmSync(folder, { recursive: true, force: true }) };
}

async function prepare(base: string): Promise<Omit<CollectingOrder, "base" | "events" | "items" | "death">> {
  const pages = defineTrigger({ name: "pages", config: v.object({}), poll: () => ({ events: [] }) });
  const options = { secret: "s".repeat(40), triggers: [pages] };
  const { stepwell, app, deploy } = await openService({ storage: { entities: fs({ base }) }, ...options });
  const workflow_id = await deploy([note("checks")]);
  const mappings = [{ type: "field", entity_path: "a:n", input_path: ["n"], name: "N" }];
  const given = (type: string) => ({ type, name: type, config: { type, mappings } });
  const { id: collection, triggers } = await stepwell.collections.create(app, {
    name: "Collected",
    config: { rules: [{ key: "rule", name: "Rule", workflow_id }] },
    triggers: [given("loan_origination"), { ...given("pages"), enabled: false }],
  });
  const [received = "", polled = ""] = triggers.map(({ id }) => id);
  const webhook = await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.*"] });
  await stepwell.close();
  return { app, collection, received, polled, webhook: webhook.id };
}

function compare(report: CollectingReport, sent: readonly string[]): void {
  const { count, records, sorted, deliveries, jobs, indexes } = report;
  const events = [...new Set(EVENTS)].map((n) => `event ${n}`);
  const items = Array.from({ length: ITEMS }, (_, n) => `item ${n + 1}`);
  const expected = [...events, ...items].sort();
  assert.deepEqual(records.map(({ n }) => n).sort(), expected, "each event is one record");
  assert.equal(count, expected.length);
  assert.deepEqual(deliveries, Array(expected.length).fill("created"));
  const byValue = records.toSorted((one, other) => (one.n < other.n ? -1 : 1)).map(({ id }) => id);
  assert.deepEqual(sorted, byValue, "the index has each record");
  assert.deepEqual(indexes, ["ready"]);
  assert.ok(jobs.length >= 1 && jobs.every(({ status }) => status === "succeeded"));
  for (const { done, total } of jobs) assert.equal(done, total);
  for (const { id, version, history, result } of records) {
    assert.deepEqual(
      history,
      Array.from({ length: version }, (_, n) => version - n),
      "every version is in the history",
    );
    assert.equal(version, 3);
    assert.equal(result, "WARN");
    const arrived = sent.flatMap((line) => (line.startsWith(`${id} `) ? Number(line.split(" ")[1]) : []));
    assert.ok(arrived.includes(version), `the webhook got no event of ${id}`);
    assert.deepEqual(
      arrived,
      arrived.toSorted((one, other) => one - other),
      "events of a record came in order",
    );
  }
}

async function checkStored(base: string): Promise<void> {
  const driver = fs({ base });
  const { checked: _, ...wrong } = await repairStorage({ driver, logger: silent, isDryRun: true });
  await driver.dispose?.();
  assert.deepEqual(wrong, { damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [], losses: [] });
}
