/** `close` ends files whose bytes are still coming, and leaves nothing of them. */
import { describe, expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { createStepwell } from "../../src/index.ts";
import { silent } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const bytes = new Uint8Array(1_000);

async function* endless(turned: () => void) {
  try {
    for (;;) {
      yield bytes;
      await turnEventLoop();
    }
  } finally {
    turned();
  }
}

async function* stuck() {
  yield bytes;
  await new Promise(() => undefined);
}

describe.each(["without a driver", "on a driver"])("A file that is created from a stream, %s", (kind) => {
  const open = () => {
    const driver = memoryDriver();
    const storage = kind === "on a driver" ? { entities: driver } : {};
    return { stepwell: createStepwell({ storage, logger: silent }), driver };
  };

  it("ends with the service, and so does its source", async () => {
    const { stepwell, driver } = open();
    const app = await stepwell.apps.create({ name: "One" });
    let hasEnded = false;
    const body = endless(() => {
      hasEnded = true;
    });
    const created = stepwell.files.create(app.id, { name: "a.bin", body });
    const refused = expect(created).rejects.toMatchObject({ code: "unavailable" });
    await turnEventLoop();
    await stepwell.close();
    await refused;
    await turnEventLoop();
    expect(hasEnded).toBe(true);
    const left = (await driver.getKeys("", {})).filter((key) => key.startsWith("blob"));
    expect(left).toEqual([]);
  });

  it("does not hold up the end if its bytes never come", async () => {
    const { stepwell } = open();
    const app = await stepwell.apps.create({ name: "One" });
    const created = stepwell.files.create(app.id, { name: "a.bin", body: stuck() });
    const refused = expect(created).rejects.toMatchObject({ code: "unavailable" });
    await turnEventLoop();
    await stepwell.close();
    await refused;
  });
});
