/** A replaced owner acknowledges nothing and harms nothing, at whichever call it was stopped. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { createFsDriver } from "../../adapters/storage/fs/fs.ts";
import type { Key } from "../../src/ports/store.ts";
import { openStore } from "../support/storage/open.ts";
import { startChild } from "./child.ts";
import { SMALL, TINY, takeOver } from "./takeover/scenario.ts";
import { DRIVERS, openSharedStorage } from "./takeover/storages.ts";

/** Calls at which the owner is stopped, spread evenly over all of them. `npm run takeover-matrix` takes every call. */
const SAMPLES = 4;
const MAX_SHOWN_VIOLATIONS = 20;

describe.each(DRIVERS)("a replaced owner of storage on %s", (name) => {
  it.each([
    ["before", 0.25],
    ["after", 0.75],
  ] as const)(
    "loses and overwrites nothing when it continues after it was stopped %s a driver call",
    async (moment, offset) => {
      const found: string[] = [];
      let calls = 0;
      for (let sample = 0; sample <= SAMPLES; sample++) {
        // The first sample is not stopped; it counts the calls.
        const at = sample === 0 ? 0 : 1 + Math.floor(((sample - 1 + offset) * calls) / SAMPLES);
        const storage = await openSharedStorage(name, inject("redis"));
        // Each call of S3 is several requests.
        const result = await takeOver(storage, at, moment, name === "s3" ? TINY : SMALL);
        await storage.clean();
        calls = Math.max(calls, result.calls);
        found.push(...result.violations.map((violation) => `call ${at} of ${calls}: ${violation}`));
      }
      expect(found.slice(0, MAX_SHOWN_VIOLATIONS)).toEqual([]);
    },
  );
});

describe("a process stopped by SIGSTOP while another one takes over its folder", () => {
  it("acknowledges nothing and overwrites nothing after SIGCONT", async () => {
    const base = await mkdtemp(join(tmpdir(), "stepwell-takeover-"));
    const first = await startChild(join(import.meta.dirname, "takeover/owner.ts"), [base]);
    await first.line((line) => line.endsWith(" 5"));
    process.kill(first.pid ?? 0, "SIGSTOP");

    // As on another machine that shares the folder: this driver does not see the lock of the first process.
    const open = () => createFsDriver({ base }, () => () => undefined);
    const second = openStore(open());
    const { ids } = await second.list("things", { limit: 1_000 });
    const keys = ids.map((id): Key => `thing:${id}`);
    const taken = await second.getMany(keys);
    await Promise.all(
      keys.map((key, index) =>
        second.commit([{ key, document: { by: "second" }, expected: taken[index]?.version ?? null }]),
      ),
    );
    await second.close();

    process.kill(first.pid ?? 0, "SIGCONT");
    const { code, errors } = await first.gone;
    expect([code, errors]).toEqual([0, ""]);
    expect(first.lines.slice(-2)).toEqual([
      expect.stringContaining("refused: This process no longer owns"),
      "does not read",
    ]);
    const versions = new Map(keys.map((key, index) => [key, taken[index]?.version ?? 0]));
    for (const line of first.lines.slice(0, -2)) {
      const [index, version] = line.split(" ").map(Number);
      expect(versions.get(`thing:k${index}`)).toBeGreaterThanOrEqual(version ?? 0);
    }

    const last = openStore(open());
    const found = await last.getMany(keys);
    expect(found.map((stored) => stored?.document)).toEqual(keys.map(() => ({ by: "second" })));
    expect((await last.list("things", { limit: 1_000 })).ids).toEqual(ids);
    await last.close();
    await rm(base, { recursive: true, force: true });
  });
});
