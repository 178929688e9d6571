/** Deleting an app deletes its webhooks, including rows without a document. */
import { expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import memoryDriver from "../../adapters/storage/memory.ts";
import { createHooks, hooksOf } from "../../src/hooks/hook-registry.ts";
import { createIds } from "../../src/ids.ts";
import { createDriverStore } from "../../src/storage/store.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { silent } from "../support/engine/service.ts";

it("deletes the webhooks of an app, and rows without a document", async () => {
  const clock = createTestClock();
  const store = createDriverStore({
    driver: memoryDriver(),
    clock,
    ids: createIds(clock),
    logger: silent,
    hash: nodeHash,
  });
  const hooks = createHooks({ store, clock, hash: nodeHash });
  const step = { type: "input", key: "in", input: {}, webhook: { method: "POST" } } as const;
  await store.commit(await hooks.changes("app_1", "work_1", [], [step]));
  const lost = `hook_${"0".repeat(40)}`;
  await store.commit([{ key: "other:1", document: {}, rows: [{ list: hooksOf("app_1"), put: { id: lost } }] }]);
  expect((await store.list(hooksOf("app_1"), { limit: 10 })).total).toBe(2);
  await hooks.deleteAll("app_1", () => false);
  expect((await store.list(hooksOf("app_1"), { limit: 10 })).total).toBe(0);
  expect(await hooks.find("app_1", "POST", "work_1/in")).toBeNull();
  await store.close();
});
