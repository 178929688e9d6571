/** Kills processes during webhook deliveries and due schedules, and checks that each of them started one run. */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fs from "../../../adapters/storage/fs/fs.ts";
import type { Clock, Step } from "../../../src/index.ts";
import { input, openService } from "../../support/engine/service.ts";
import { type ArrivalsReport, HOOK, SPAN } from "./arrivals-order.ts";
import { type Death, live } from "./life.ts";
import type { Survival } from "./matrix.ts";

export interface Arrivals {
  /** @throws AssertionError when a delivery or a due time started no run, or more than one */
  survive(deaths: readonly Death[]): Promise<Survival>;
  close(): Promise<void>;
}

const PROCESS = join(import.meta.dirname, "arrivals-process.ts");
const SECOND = 1_000;
const BEGIN = Date.parse("2030-01-01T00:00:00Z");
const at = (seconds: number) => ({ at: new Date(BEGIN + seconds * SECOND).toISOString() });
const DELIVERIES = [1, 2, 3, 4, 5, 6];
/** Schedules by what their runs write: their timing, and how often they are due within a number of milliseconds. */
const SCHEDULES = {
  each_second: [{ every: 1 }, (passed: number) => passed / SECOND],
  each_other_second: [{ cron: "*/2 * * * * *" }, (passed: number) => passed / (2 * SECOND)],
  once: [at(3.2), () => 1],
  at_the_same_time: [at(3.2), () => 1],
  at_the_end: [at(SPAN / SECOND), () => 1],
} as const;

export async function openArrivals(): Promise<Arrivals> {
  const folder = await mkdtemp(join(tmpdir(), "stepwell-arrivals-"));
  const template = join(folder, "template");
  const app = await prepare(template);
  let folders = 0;

  async function survive(deaths: readonly Death[]): Promise<Survival> {
    const base = join(folder, String(folders++));
    cpSync(template, base, { recursive: true });
    const taken = new Map<string, string>();
    let took: number | undefined;
    for (let kills = 0; ; kills++) {
      const order = { base, app, begins: BEGIN + kills * SPAN, deliveries: DELIVERIES };
      const life = await live<ArrivalsReport>(PROCESS, order, deaths[kills] ?? null);
      took ??= life.took;
      for (const [delivery = "", run = ""] of life.created.map((line) => line.split(" "))) {
        assert.equal(taken.get(delivery) ?? run, run, "a repeated delivery started another run");
        taken.set(delivery, run);
      }
      if (life.report === null) continue;
      compare(life.report, taken, (kills + 1) * SPAN);
      rmSync(base, { recursive: true });
      return { kills, runs: life.report.runs.length, requests: 0, took };
    }
  }

  return { survive, close: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** Deploys the workflows; returns the app. */
async function prepare(base: string): Promise<string> {
  const clock: Clock = { now: () => BEGIN, after: () => () => {} };
  const { stepwell, app, deploy } = await openService({ storage: { entities: fs({ base }) }, clock });
  const { id: collection_id } = await stepwell.collections.create(app, { name: "Arrivals" });
  const write: Step = {
    type: "service",
    key: "write",
    service: { service: "records", action: "create", input: { collection_id, data: { a: { n: "{{ input.n }}" } } } },
  };
  await deploy([{ ...input("in"), webhook: { method: "POST", path: HOOK } } as Step, write]); // an input step
  const workflow_id = await deploy([input("in"), write]);
  for (const [n, [timing]] of Object.entries(SCHEDULES)) {
    await stepwell.schedules.create(app, { workflow_id, input: { n }, missed: "all", ...timing });
  }
  await stepwell.close();
  return app;
}

function compare({ runs, holdings }: ArrivalsReport, taken: ReadonlyMap<string, string>, passed: number): void {
  const present = new Set(runs.map(({ id }) => id));
  assert.ok(
    [...taken.values()].every((id) => present.has(id)),
    "a delivery was acknowledged, and lost",
  );
  assert.deepEqual(new Set(runs.map(({ status }) => status)), new Set(["succeeded"]));
  const moments = Object.entries(SCHEDULES).flatMap(([n, [, count]]) => Array<string>(count(passed)).fill(n));
  const expected = [...DELIVERIES, ...moments].map(
    (n) => `record ${JSON.stringify(["Arrivals", 1, { a: { n } }, []])}`,
  );
  assert.deepEqual(holdings, expected.sort());
  assert.equal(runs.length, expected.length);
}
