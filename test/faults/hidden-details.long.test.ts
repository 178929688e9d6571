/** Messages of storages are for the log and for callers in process; HTTP only reports that storage is unavailable. */
import memoryDriver from "unstorage/drivers/memory";
import { expect, it } from "vitest";
import { isStepwellError } from "../../src/errors.ts";
import type { Logger } from "../../src/ports/logger.ts";
import { give, openService } from "../support/engine/service.ts";

const SECRET = "/srv/private is held by process 4711 on host-a";
const GENERIC = "The storage is temporarily unavailable. Try again later.";

function createRecordingLogger(): { logger: Logger; logged: unknown[] } {
  const logged: unknown[] = [];
  const add = (_: string, more?: object) => logged.push(more);
  return { logger: { debug: () => {}, info: () => {}, warn: add, error: add }, logged };
}

const mentions = (text: string) => (more: unknown) =>
  typeof more === "object" &&
  more !== null &&
  "error" in more &&
  isStepwellError(more.error) &&
  more.error.message.includes(text);

it("a storage error returns 503 with Retry-After without its message, which is logged and thrown in process", async () => {
  const { logger, logged } = createRecordingLogger();
  const driver = memoryDriver();
  const state = { isGone: false };
  const getItem: typeof driver.getItem = (key, options) => {
    if (state.isGone) throw new Error(SECRET);
    return driver.getItem(key, options);
  };
  const setItem: typeof driver.setItem = (key, text, options) => {
    if (state.isGone) throw new Error(SECRET);
    return driver.setItem?.(key, text, options);
  };
  const { stepwell, app } = await openService({ storage: { entities: { ...driver, getItem, setItem } }, logger });
  const { key } = await stepwell.keys.create(app, { name: "k" });
  state.isGone = true;
  const response = await stepwell.fetch(
    new Request(`http://localhost:3000/apps/${app}/files/uploads`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
    }),
  );
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  const text = await response.text();
  expect(text).not.toContain(SECRET);
  expect(JSON.parse(text)).toMatchObject({ code: "unavailable", detail: GENERIC });
  expect(logged.some(mentions(SECRET))).toBe(true);
  await expect(stepwell.files.createUpload(app, {})).rejects.toThrow(SECRET);
  state.isGone = false;
  await stepwell.close();
});

it("a run that fails because of its storage hides the storage's message, which is logged", async () => {
  const { logger, logged } = createRecordingLogger();
  const blobs = memoryDriver();
  const broken = {
    ...blobs,
    getItemRaw: () => {
      throw new Error(SECRET);
    },
  };
  const { stepwell, app, start, wait } = await openService({
    storage: { entities: memoryDriver(), blobs: broken },
    logger,
  });
  const file = await stepwell.files.create(app, { name: "a.txt", body: new TextEncoder().encode("hello") });
  const read = { service: "files", action: "read", input: { file_id: file.id } };
  const { id } = await start([give("first"), { type: "service", key: "read", service: read }]);
  expect((await wait(id)).error).toEqual({ code: "unavailable", message: GENERIC, step: "read" });
  expect(logged.some(mentions(SECRET))).toBe(true);
  await stepwell.close();
});
