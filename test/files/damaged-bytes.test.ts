/** Bytes of files that the storage changed or lost are never served as the file. */
import memoryDriver from "unstorage/drivers/memory";
import { expect, it } from "vitest";
import { createReadFile } from "../../src/files/read-file.ts";
import { BLOCK, bytes, createService, FORM, form, post } from "../support/files/service.ts";

const LARGE = "a".repeat(3 * BLOCK);

/** A file in which one stored character was changed. */
async function damaged(content: string, at: number) {
  const blobs = memoryDriver();
  const service = await createService({ blobs });
  const { upload_url } = await service.address();
  const file = await (await post(service, upload_url, form(content), { "content-type": FORM })).json();
  const [key = ""] = (await blobs.getKeys("", {})).filter((name) => name.endsWith(`.${Math.floor(at / BLOCK)}`));
  const block = content.slice(at - (at % BLOCK), at - (at % BLOCK) + BLOCK);
  await blobs.setItemRaw?.(key, bytes(`${block.slice(0, at % BLOCK)}!${block.slice((at % BLOCK) + 1)}`), {});
  const get = (headers = {}) => service.call(`/files/${file.id}/content`, { headers });
  return { service, file, get };
}

const isDamaged = { code: "unavailable", message: expect.stringContaining("damaged") };

it("returns 503 for a damaged file of one block", async () => {
  const { get, service } = await damaged("hello", 1);
  const response = await get();
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "unavailable" });
  expect(service.errors).toContainEqual([
    "request failed",
    expect.objectContaining({ error: expect.objectContaining(isDamaged) }),
  ]);
});

it.each([0, 2 * BLOCK, 3 * BLOCK - 1])("aborts the download of a larger file when byte %d is damaged", async (at) => {
  const { get, service } = await damaged(LARGE, at);
  const response = await get();
  expect(response.headers.get("content-length")).toBe(String(LARGE.length));
  await expect(response.arrayBuffer()).rejects.toMatchObject(isDamaged);
  expect(service.errors).toEqual([[expect.stringContaining("damaged"), expect.anything()]]);
  await expect((await get({ range: "bytes=0-" })).arrayBuffer()).rejects.toMatchObject(isDamaged);
});

it("rejects reads of a damaged file by programs and steps", async () => {
  const { service, file } = await damaged(LARGE, 7);
  const { body } = await service.files.content(service.app.id, file.id);
  await expect(new Response(body as BodyInit).arrayBuffer()).rejects.toMatchObject(isDamaged);
  const readFile = createReadFile(service.files);
  await expect(readFile(service.app.id, file.id, 1_000_000)).rejects.toMatchObject(isDamaged);
});

it("returns 503 for a file whose bytes are missing", async () => {
  const blobs = memoryDriver();
  const service = await createService({ blobs });
  const { upload_url } = await service.address();
  const { id } = await (await post(service, upload_url, form("hello"), { "content-type": FORM })).json();
  await blobs.clear?.("", {});
  const response = await service.call(`/files/${id}/content`);
  expect(response.status).toBe(503);
  expect(service.errors.at(-1)).toMatchObject([
    "request failed",
    { error: { code: "unavailable", message: expect.stringContaining("is missing") } },
  ]);
});
