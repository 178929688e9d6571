/** What a person can do when the storage has lost the version of a workflow. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import type { Driver } from "../../src/ports/driver.ts";
import { cliOf, runCli } from "../support/cli/run-cli.ts";
import { openMounted } from "../support/client/mounted.ts";
import { loseDocument, storedDocuments } from "../support/storage/stored-documents.ts";

it("stepwell deploy deploys a workflow again whose latest version is lost, and doctor then finds nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stepwell-cli-"));
  const base = join(folder, ".stepwell");
  const open = () => openMounted({ storage: { entities: fsDriver({ base }) } });
  const steps = [{ type: "code", key: "one", code: "return 1" }];
  await writeFile(join(folder, "a.json"), JSON.stringify({ name: "A", steps }));
  const first = await open();
  expect(await cliOf(first, { cwd: folder }).run(["deploy", "a.json"])).toMatchObject({ code: 0 });
  await first.close();

  await loseVersion(fsDriver({ base }));
  const repaired = await runCli(["doctor", "--repair", "--port", "0"], { cwd: folder });
  expect(repaired).toMatchObject({ code: 1, stdout: expect.stringContaining('(version 1 of "A")') });

  const second = await open();
  const { key } = await second.stepwell.keys.create(first.app, { name: "Tests" });
  const cli = cliOf({ url: second.url, key }, { cwd: folder });
  expect(await cli.json(["deploy", "a.json"])).toMatchObject({ code: 0, value: [{ status: "deployed", version: 2 }] });
  expect(await cli.json(["run", "A"])).toMatchObject({ code: 0, value: { output: 1 } });
  await second.close();
  expect(await runCli(["doctor", "--port", "0"], { cwd: folder })).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
});

/** Makes the only version missing. */
async function loseVersion(driver: Driver): Promise<void> {
  const data = new Map<string, string>();
  for (const key of await driver.getKeys("", {})) data.set(key, String(await driver.getItem(key)));
  const versions = [...storedDocuments(data).keys()].filter((key) => key.includes("workv_"));
  expect(versions).toHaveLength(1);
  const before = new Map(data);
  expect(versions.every((key) => loseDocument(data, key))).toBe(true);
  for (const [key, text] of data) if (text !== before.get(key)) await driver.setItem?.(key, text, {});
  await driver.dispose?.();
}
