/** The folder of the fs driver: created if possible, otherwise rejected at once. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { createStepwell } from "../../src/index.ts";
import { silent } from "../support/engine/service.ts";

const folder = mkdtempSync(join(tmpdir(), "stepwell-folder-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the folder of the fs driver", () => {
  it("is created with its parents", async () => {
    const base = join(folder, "a", "b", "c");
    const driver = fsDriver({ base });
    await driver.setItem?.("key", "text", {});
    expect(statSync(base).isDirectory()).toBe(true);
    await driver.dispose?.();
  });

  const file = join(folder, "file");
  writeFileSync(file, "");
  // Below /proc no system creates folders; some report no error, and never finish.
  it.each(["/proc/x", "/proc/x/y", "/dev/null/x", file, join(file, "x")])(
    "is rejected at once where it cannot be created: %s",
    async (base) => {
      const driver = fsDriver({ base });
      for (let time = 0; time < 2; time++) {
        await expect(async () => driver.getItem("key", {})).rejects.toThrow(`The folder ${base} cannot be created`);
      }
      const stepwell = createStepwell({ storage: { entities: fsDriver({ base }) }, logger: silent });
      await expect(stepwell.apps.create({ name: "Tests" })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("cannot be created"),
      });
      await stepwell.close();
    },
  );
});
