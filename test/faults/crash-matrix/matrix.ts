/** Kills processes that execute runs, starts others, and compares the results with those without a crash. */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fs from "../../../adapters/storage/fs/fs.ts";
import { openService } from "../../support/engine/service.ts";
import { type Family, familyOf } from "./family.ts";
import { deployGraphs, FLAKY } from "./graphs.ts";
import { type Death, live } from "./life.ts";
import type { Report } from "./order.ts";
import { reaching } from "./outside.ts";
import { parseKey, type RequestKey, storedOutcomes } from "./snapshot.ts";
import { openWorld } from "./world.ts";

export interface Survival {
  /** The number of killed processes; fewer than requested if the work ended before. */
  readonly kills: number;
  /** The number of runs, including child runs, with the expected end. */
  readonly runs: number;
  /** The number of requests to the server. */
  readonly requests: number;
  /** Milliseconds of work of the first process. */
  readonly took: number;
}

export interface Matrix {
  /** Names of the workflows. */
  readonly graphs: readonly string[];
  /** Runs these workflows in parallel, once, without a kill: the reference for `survive`. */
  reference(graphs: readonly string[]): Promise<Survival>;
  /**
   * Runs these workflows in parallel, in one process after another; all except the last are killed as given.
   * @throws AssertionError when any result differs from the reference
   */
  survive(graphs: readonly string[], deaths: readonly Death[]): Promise<Survival>;
  close(): Promise<void>;
}

const PROCESS = join(import.meta.dirname, "process.ts");

export async function openMatrix(): Promise<Matrix> {
  const { outside, keys, ...world } = await openWorld();
  const folder = await mkdtemp(join(tmpdir(), "stepwell-crash-"));
  const template = join(folder, "template");
  const service = await openService({ storage: { entities: fs({ base: template }) }, ...reaching(outside) });
  const workflows = await deployGraphs(service, outside.url);
  const { app } = service;
  await service.stepwell.close();
  /** The reference result of each workflow. */
  const expected = new Map<string, Family>();
  /** The records, files and runs of rules that workflows leave, by the ids of the workflows. */
  const remains = new Map<string, readonly string[]>();
  const references = new Map<string, Promise<Survival>>();
  const started = new Set(workflows.values());
  let folders = 0;

  function reference(graphs: readonly string[]): Promise<Survival> {
    const name = graphs.join();
    const known = references.get(name) ?? execute(graphs, []);
    references.set(name, known);
    return known;
  }

  async function survive(graphs: readonly string[], deaths: readonly Death[]): Promise<Survival> {
    await reference(graphs);
    return execute(graphs, deaths);
  }

  async function execute(graphs: readonly string[], deaths: readonly Death[]): Promise<Survival> {
    const base = join(folder, String(folders++));
    cpSync(template, base, { recursive: true });
    const begun = keys.length;
    const keysFrom = (position: number) => keys.slice(position);
    const created: string[] = [];
    const order = { base, app, outside };
    let create: readonly string[] | null = graphs.map((name) => workflows.get(name) ?? "");
    let took: number | undefined;
    const dead: { readonly isStored: (key: string) => boolean; readonly until: number }[] = [];
    for (;;) {
      const life = await live<Report>(PROCESS, { ...order, create }, deaths[dead.length] ?? null);
      create = null;
      took ??= life.took;
      created.push(...life.created);
      if (life.report === null) {
        const until = keys.length;
        const printed = new Set(life.ended);
        const isFound = await storedOutcomes({ base, app }, outside);
        const isPrinted = ({ run, step }: RequestKey) => printed.has(`${run}/${step}`);
        dead.push({ isStored: (key) => isFound(key) || isPrinted(parseKey(key)), until });
        continue;
      }
      for (const { isStored, until } of dead) assert.deepEqual(keysFrom(until).filter(isStored), [], "executed again");
      const requests = await compare(life.report, created, keysFrom(begun), dead.length);
      rmSync(base, { recursive: true });
      return { kills: dead.length, runs: life.report.runs.length, requests, took };
    }
  }

  /** Null if these workflows have no reference, neither together nor each alone. */
  function remainsOf(ids: readonly string[]): readonly string[] | null {
    const alone = ids.flatMap((id) => {
      const lines = remains.get(id);
      return lines === undefined ? [] : [lines];
    });
    return alone.length === ids.length ? alone.flat().sort() : (remains.get(ids.join()) ?? null);
  }

  const graphsOf = (ids: readonly string[]) => [...workflows].flatMap(([name, id]) => (ids.includes(id) ? name : []));

  /** Compares with the reference; returns the number of requests. */
  async function compare(
    { runs, holdings }: Report,
    created: readonly string[],
    keys: readonly string[],
    deaths: number,
  ): Promise<number> {
    const [roots, ofRules] = partition(
      runs.filter(({ parent_run_id }) => parent_run_id === null),
      ({ workflow_id }) => started.has(workflow_id),
    );
    const present = new Set(roots.map(({ id }) => id));
    assert.deepEqual(
      created.filter((id) => !present.has(id)),
      [],
      "created, and lost",
    );
    assert.equal(new Set(roots.map(({ workflow_id }) => workflow_id)).size, roots.length, "created twice");
    for (const root of roots) {
      const family = familyOf(root, runs, keys);
      if (deaths === 0 && !expected.has(root.workflow_id)) expected.set(root.workflow_id, family);
      assert.deepEqual(family, expected.get(root.workflow_id));
    }
    const left = [...holdings, ...ofRules.map(({ status }) => `a run of a rule that ${status}`)].sort();
    const ids = roots.map(({ workflow_id }) => workflow_id).sort();
    if (deaths === 0 && remainsOf(ids) === null) remains.set(ids.join(), left);
    // A process that died early has not created all runs: those it created are compared one by one.
    if (remainsOf(ids) === null) await Promise.all(graphsOf(ids).map((graph) => reference([graph])));
    assert.deepEqual(left, remainsOf(ids));
    assertForward(keys);
    const own = new Set(runs.map(({ id }) => id));
    const counts = new Map<string, number>();
    for (const key of keys) if (own.has(parseKey(key).run)) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const [key, count] of counts) {
      const tries = parseKey(key).step === FLAKY.slice(1) ? 2 : 1;
      assert.ok(count <= tries + deaths, `${key} was requested ${count} times`);
    }
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  }

  return {
    graphs: [...workflows.keys()],
    reference,
    survive,
    async close() {
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function partition<Item>(items: readonly Item[], holds: (item: Item) => boolean): [readonly Item[], readonly Item[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}

/** Requests of a model step never go back to an earlier round: responses and tool calls alternate. */
function assertForward(keys: readonly string[]): void {
  const reached = new Map<string, number>();
  for (const key of keys) {
    const { run, step, iteration, part } = parseKey(key);
    if (part === "") continue;
    const [kind, round] = part.split(".");
    const position = Number(round) * 2 + (kind === "call" ? 1 : 0);
    const place = `${run}/${step}/${iteration}`;
    assert.ok(position >= (reached.get(place) ?? 0), `${key} was requested after a later one`);
    reached.set(place, position);
  }
}
