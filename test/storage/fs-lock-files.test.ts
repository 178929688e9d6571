/** The folders of locks, while other processes prepare theirs. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { preparedIn, removeOtherLocks } from "../../adapters/storage/fs/lock-files.ts";

/** Prepares a lock again and again, as processes do that are refused. */
const PREPARES = `
  const { mkdirSync, writeFileSync } = require("node:fs");
  const { parentPort, workerData } = require("node:worker_threads");
  for (let n = 0; n < 3_000; n++) {
    try {
      mkdirSync(workerData, { recursive: true });
      for (const name of ["a", "b", "c", "d"]) writeFileSync(workerData + "/" + name, "");
    } catch {}
  }
  parentPort.postMessage("done");
`;

it("removing other locks succeeds while another process writes one", async () => {
  const base = mkdtempSync(join(tmpdir(), "stepwell-lock-"));
  const prepared = preparedIn(base, "other");
  mkdirSync(prepared);
  const worker = new Worker(PREPARES, { eval: true, workerData: prepared });
  let isDone = false;
  worker.once("message", () => {
    isDone = true;
  });
  let removals = 0;
  while (!isDone) {
    removeOtherLocks(base, 1);
    removals++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await worker.terminate();
  expect(removals).toBeGreaterThan(0);
  rmSync(base, { recursive: true });
});
