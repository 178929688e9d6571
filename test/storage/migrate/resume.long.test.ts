/** Migrations that fail or are stopped in the middle, and are repeated. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import fsDriver from "../../../adapters/storage/fs/fs.ts";
import memoryDriver from "../../../adapters/storage/memory.ts";
import { createStepwell, type MigrationProgress, migrateStorage } from "../../../src/index.ts";
import type { ExtendedDriver } from "../../../src/ports/driver.ts";
import { callsToFail } from "../../support/storage/calls-to-fail.ts";
import { FAULTS, failing, failure } from "../../support/storage/failing-driver.ts";
import { withDiskLimit } from "../../support/storage/limited-disk.ts";
import { contentsOf, createFolder, type Filled, fillStorage, finishOn } from "../../support/storage/migrations.ts";
import { silent } from "../../support/storage/open.ts";

const { path, clean } = createFolder();
const source = () => ({ entities: fsDriver({ base: path("source") }) });
/** Keeps what it contains when it is disposed of. */
const lasting = (driver: ExtendedDriver): ExtendedDriver => ({ ...driver, dispose: () => undefined });
let filled: Filled;
let before: Awaited<ReturnType<typeof contentsOf>>;
beforeAll(async () => {
  filled = await fillStorage(source());
  before = await contentsOf(source());
});
afterAll(clean);

const migrateTo = (driver: ExtendedDriver, signal?: AbortSignal, onProgress?: (progress: MigrationProgress) => void) =>
  migrateStorage({ from: source(), to: { entities: driver }, signal, onProgress, logger: silent });

describe("a migration that is repeated", () => {
  const faults = FAULTS.filter((fault) => fault !== "hangs" && fault !== "takes effect after its timeout");

  it.each(faults)("ends with the same contents when a call of the target %s", async (fault) => {
    const counted = failure(fault);
    await migrateTo(failing(memoryDriver(), counted));
    for (const at of callsToFail(counted.calls, fault, 4)) {
      const target = lasting(memoryDriver());
      const plan = failure(fault);
      plan.at = at;
      await migrateTo(failing(target, plan)).catch((error: unknown) => {
        expect(error).toMatchObject({ code: "unavailable" });
      });
      await migrateTo(target);
      expect(await contentsOf({ entities: target })).toEqual(before);
    }
  });

  it("goes on where it was stopped, at every step, and a service refuses the target until then", async () => {
    const steps: MigrationProgress[] = [];
    await migrateTo(memoryDriver(), undefined, (progress) => steps.push(progress));
    expect(new Set(steps.map(({ phase }) => phase))).toEqual(new Set(["reading", "documents", "rows", "checking"]));
    for (let stop = 0; stop < steps.length; stop += 1 + Math.floor(steps.length / 6)) {
      const target = lasting(memoryDriver());
      const stopped = new AbortController();
      let seen = 0;
      const ended = await migrateTo(target, stopped.signal, () => {
        if (seen++ === stop) stopped.abort();
      }).catch((error: unknown) => error);
      if (ended instanceof Error) {
        expect(ended).toMatchObject({ name: "AbortError" });
        if (steps[stop]?.phase !== "reading") await expectRefused(target);
        expect(await migrateTo(target)).toMatchObject({ documents: before.documents.length });
      }
      expect(await contentsOf({ entities: target })).toEqual(before);
    }
  });

  it("says the same again after it has finished, and a service then goes on with the target", async () => {
    const target = lasting(memoryDriver());
    const first = await migrateTo(target);
    expect(await migrateTo(target)).toEqual({ ...first, isResumed: true });
    expect(await finishOn({ entities: target }, filled)).toEqual({
      status: "succeeded",
      size: 3_000_000,
      isSame: true,
    });
    await expect(migrateTo(target)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("has finished before, and the target was used since"),
    });
  });

  it("finishes after a full disk has space again", async () => {
    const target = lasting(memoryDriver());
    const disk = { freeBytes: 1_000_000 };
    await expect(migrateTo(withDiskLimit(target, disk))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/^The bytes of "file:.*" could not be copied: ./),
    });
    await migrateTo(target);
    expect(await contentsOf({ entities: target })).toEqual(before);
  });
});

async function expectRefused(driver: ExtendedDriver): Promise<void> {
  const stepwell = createStepwell({ storage: { entities: driver }, logger: silent });
  await expect(stepwell.apps.create({ name: "Refused" })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("unfinished migration"),
  });
  await expect(stepwell.apps.list()).rejects.toMatchObject({ code: "unavailable" });
  await stepwell.close();
}
