/** A version stays as long as runs of it exist, and not longer. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import type { Step } from "../../src/index.ts";
import type { Driver } from "../../src/ports/driver.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { closeInTestTime } from "../support/close-in-test-time.ts";
import { fail, give, input, openService } from "../support/engine/service.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { storedItems } from "../support/storage/stored-documents.ts";
import { until } from "../support/until.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const DRIVERS: Readonly<Record<string, () => Promise<() => Driver>>> = {
  async memory() {
    const data = new Map<string, string>();
    return () => faultyDriver(data, "rejects", 0).driver;
  },
  async fs() {
    const folder = await mkdtemp(join(tmpdir(), "stepwell-"));
    folders.push(folder);
    return () => fsDriver({ base: folder });
  },
};

const OF_VERSIONS = /^(version|version-number|deleted-workflow):/;

async function open(driverOf: () => Driver, app?: string, start?: string) {
  const clock = createTestClock(start);
  const service = await openService(
    { storage: { entities: driverOf() }, clock, limits: { runRetentionMs: 1_000 } },
    app,
  );
  const { stepwell } = service;
  return {
    ...{ ...service, clock },
    deployAgain: async (workflow: string, steps: readonly Step[]) => {
      await stepwell.workflows.putDraft(service.app, workflow, { steps: [...steps] });
      await stepwell.workflows.deploy(service.app, workflow);
    },
    close: () => closeInTestTime(stepwell, clock),
  };
}

/** The stored documents of versions after a checkpoint, without their ids. */
async function stored(driver: Driver): Promise<string[]> {
  const items = await storedItems(driver);
  await driver.dispose?.();
  return [...items.keys()].flatMap((key) => OF_VERSIONS.exec(key)?.[1] ?? []).sort();
}

/** Lets later processes finish what one has left, which then only restart. */
async function untilStored(driverOf: () => Driver, expected: readonly string[], start?: string): Promise<void> {
  await until(async () => {
    if (JSON.stringify(await stored(driverOf())) === JSON.stringify(expected)) return true;
    const next = await open(driverOf, "none", start);
    await next.stepwell.ready();
    await next.clock.advance("1s");
    await next.close();
    return false;
  });
}

describe.each(Object.entries(DRIVERS))("versions on %s", (_, create) => {
  it("go with their workflow if they have no runs", async () => {
    const driver = await create();
    const { deploy, deployAgain, stepwell, app, close } = await open(driver);
    const workflow = await deploy([input("in")]);
    for (let number = 2; number <= 4; number++) await deployAgain(workflow, [input("in"), give(`v${number}`)]);
    await stepwell.workflows.remove(app, workflow);
    await close();
    await untilStored(driver, []);
    expect(await stored(driver())).toEqual([]);
  });

  it("stay with their last run, which can be retried, and go with it", async () => {
    const driver = await create();
    const first = await open(driver);
    const { deploy, deployAgain, stepwell, app } = first;
    const workflow = await deploy([input("in"), fail("out")]);
    const failed = await first.runOf(workflow);
    const other = await first.runOf(workflow);
    await deployAgain(workflow, [input("in")]);
    await deployAgain(workflow, [input("in"), give("out")]);
    const newest = await first.runOf(workflow);
    await stepwell.workflows.remove(app, workflow);
    await first.close();
    const two = ["version", "version", "version-number", "version-number"];
    await untilStored(driver, two);
    expect(await stored(driver())).toEqual(two);

    const second = await open(driver, app);
    await second.stepwell.runs.remove(app, other.id);
    await second.stepwell.runs.retry(app, failed.id);
    expect(await second.wait(failed.id)).toMatchObject({ status: "failed", error: { code: "code_failed" } });
    await second.stepwell.runs.remove(app, failed.id);
    await second.close();
    expect(await stored(driver())).toEqual(["version", "version-number"]);

    const third = await open(driver, app);
    expect((await third.get(newest.id)).steps).toHaveLength(2);
    await third.close();
    await untilStored(driver, [], "2030-01-02T00:00:00.000Z");
    expect(await stored(driver())).toEqual([]);
  });
});

it("versions go with their workflow whenever the process dies", async () => {
  const before = new Map<string, string>();
  const driverOf = (data: Map<string, string>) => () => faultyDriver(data, "rejects", 0).driver;
  const { deploy, deployAgain, stepwell, app, close } = await open(driverOf(before));
  const workflow = await deploy([input("in")]);
  for (let number = 2; number <= 3; number++) await deployAgain(workflow, [input("in"), give(`v${number}`)]);
  await stepwell.workflows.remove(app, await deploy([input("in")])); // the storage has all lists
  await close();
  let deaths = 0;
  for (let at = 1, isOver = false; !isOver; at += 2) {
    const data = new Map(before);
    const faulty = faultyDriver(data, "dies after the call", at);
    const dying = await open(() => faulty.driver, app);
    const removed = dying.stepwell.workflows.remove(app, workflow).then(
      () => dying.clock.advance("1s"),
      () => undefined,
    );
    await Promise.race([removed, faulty.death]);
    isOver = !faulty.dead;
    if (faulty.dead) deaths++;
    else await dying.close();
    const next = await open(driverOf(data), app);
    await next.stepwell.workflows.remove(app, workflow).catch(() => undefined);
    await next.close();
    await untilStored(driverOf(data), []);
  }
  expect(deaths).toBeGreaterThan(10);
});

describe("drafts that were run", () => {
  const opened = async () => {
    const driver = await (DRIVERS["memory"] as () => Promise<() => Driver>)();
    const service = await open(driver);
    return {
      ...service,
      async left() {
        await service.close();
        return stored(driver());
      },
    };
  };

  it("go with their last run, and so do the versions of step tests", async () => {
    const { draft, stepwell, app, wait, left } = await opened();
    const workflow = await draft([input("in"), give("out")]);
    const start = () => stepwell.runs.create(app, workflow, { version: "draft" });
    const runs = [await start(), await start(), await stepwell.runs.testStep(app, workflow, "out", {})];
    await stepwell.workflows.putDraft(app, workflow, { steps: [input("in"), give("other")] });
    runs.push(await start(), await stepwell.runs.testStep(app, workflow, "other", {}));
    for (const { id } of runs) await wait(id);
    const versions = new Set(runs.map(({ workflow_version_id }) => workflow_version_id));
    expect(versions.size).toBe(4);
    await stepwell.runs.remove(app, runs[0]?.id ?? "");
    expect((await stepwell.workflows.getVersion(app, workflow, runs[0]?.workflow_version_id ?? "")).version).toBe(0);
    for (const { id } of runs.slice(1)) await stepwell.runs.remove(app, id);
    expect(await wait((await start()).id)).toMatchObject({ status: "succeeded" });
    expect(await left()).toEqual(["version"]);
  });

  it("are not stored if the run is refused", async () => {
    const { draft, stepwell, app, left } = await opened();
    const workflow = await draft([input("in", { input: { n: { type: "number" } } })]);
    const refused = stepwell.runs.create(app, workflow, { version: "draft", input: { n: "x" } });
    await expect(refused).rejects.toMatchObject({ code: "invalid" });
    expect(await left()).toEqual([]);
  });

  it("go when their only run is retried on another version", async () => {
    const { draft, stepwell, app, wait, left } = await opened();
    const workflow = await draft([input("in"), fail("out")]);
    const { id } = await stepwell.runs.create(app, workflow, { version: "draft" });
    await wait(id);
    await stepwell.workflows.putDraft(app, workflow, { steps: [input("in"), give("out")] });
    await stepwell.runs.retry(app, id, { version: "draft" });
    expect(await wait(id)).toMatchObject({ status: "succeeded" });
    expect(await left()).toEqual(["version"]);
  });
});

describe("a deletion at the same time as a start", () => {
  it("leaves no run without its version", async () => {
    const driver = await (DRIVERS["memory"] as () => Promise<() => Driver>)();
    const { deploy, draft, stepwell, app, wait, close } = await open(driver);
    for (let round = 0; round < 20; round++) {
      const workflow = await deploy([input("in"), give("out")]);
      const drafted = await draft([input("in"), give("out")]);
      const first = await wait((await stepwell.runs.create(app, drafted, { version: "draft" })).id);
      const settled = await Promise.allSettled([
        stepwell.runs.create(app, workflow, {}),
        stepwell.runs.create(app, drafted, { version: "draft" }),
        stepwell.runs.create(app, workflow, {}),
        stepwell.workflows.remove(app, workflow),
        stepwell.runs.remove(app, first.id),
        stepwell.runs.create(app, drafted, { version: "draft" }),
        stepwell.runs.create(app, workflow, {}),
      ]);
      for (const one of settled) {
        if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "not_found" });
        else if (one.value !== undefined) {
          const { id } = one.value;
          expect(await wait(id)).toMatchObject({ status: "succeeded" });
          await stepwell.runs.remove(app, id);
        }
      }
    }
    await close();
    await untilStored(driver, []);
    expect(await stored(driver())).toEqual([]);
  });
});
