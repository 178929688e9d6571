/** A run is stored in several documents: reading it is consistent, even when it ends meanwhile. */
import { expect, it } from "vitest";
import { memory } from "../support/engine/memory.ts";
import { give, input, openService, statuses } from "../support/engine/service.ts";
import { heldStore } from "../support/storage/held-store.ts";
import { storedDocuments } from "../support/storage/stored-documents.ts";
import { until } from "../support/until.ts";

it("reading a run that is canceled during the read returns it as canceled", async () => {
  const data = new Map<string, string>();
  const { driver } = memory(data);
  const before = await openService({ storage: { entities: driver } });
  const { id } = await before.start([input("in"), give("a"), input("ask", { input: { ok: { type: "boolean" } } })]);
  await before.until(id, ({ status }) => status === "waiting");
  await before.stepwell.close();

  let isHolding = true;
  const held: (() => void)[] = [];
  const hold = async (key: string) => {
    if (isHolding && key.startsWith("journal:")) await new Promise<void>((resolve) => held.push(resolve));
  };
  const slow = heldStore(driver, hold, { checkpointRecords: 1 });
  const after = await openService({ storage: { entities: slow } }, before.app);
  await after.stepwell.ready();
  const read = after.get(id);
  await until(() => held.length > 0);
  isHolding = false;
  expect(await after.stepwell.runs.cancel(after.app, id)).toMatchObject({ status: "canceled" });
  const isStored = async () => {
    await after.stepwell.apps.create({ name: "Starts a checkpoint, if none is in progress" });
    return [...storedDocuments(data).keys()].every((key) => !key.startsWith("journal:"));
  };
  await expect.poll(isStored).toBe(true);
  for (const release of held) release();

  const run = await read;
  expect([run.status, statuses(run)]).toEqual(["canceled", { in: "succeeded", a: "succeeded", ask: "canceled" }]);
  await after.stepwell.close();
});
