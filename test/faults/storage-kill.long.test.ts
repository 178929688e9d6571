/** kill -9 during commits to a store in a folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import fs from "../../adapters/storage/fs/fs.ts";
import { openStore } from "../support/storage/open.ts";
import { surviveKills } from "./kill-rounds.ts";

it("a store whose process is killed six times loses no acknowledged commit and shows no partial one", async () => {
  const base = await mkdtemp(join(tmpdir(), "stepwell-kill-"));
  await surviveKills(join(import.meta.dirname, "creator.ts"), base, () => openStore(fs({ base })));
  await rm(base, { recursive: true, force: true });
  expect.hasAssertions();
});
