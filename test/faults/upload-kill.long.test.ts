/** kill -9 during a chunk of a tus upload: acknowledged bytes are stored, and the upload resumes from them. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import unstorageFs from "unstorage/drivers/fs-lite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fs from "../../adapters/storage/fs/fs.ts";
import { createStepwell } from "../../src/create.ts";
import { content, sha256 } from "../support/files/tus.ts";
import { sample } from "../support/sample.ts";
import { type Child, startChild } from "./child.ts";

const MEBI = 1024 * 1024;
const SIZE = 24 * MEBI;
const WRITE_BYTES = 64 * 1024;
const OFFSETS = [
  ["1 MiB", 1 * MEBI],
  ["10 MiB", 10 * MEBI],
  ["17 MiB", 17 * MEBI],
  ["20 MiB and 777 bytes", 20 * MEBI + 777],
  ["23 MiB", 23 * MEBI],
] as const;
/** The offsets at which the process is killed: early, at the end of a stored piece, and within one. */
const KILLS = sample(OFFSETS, ["1 MiB", "17 MiB", "20 MiB and 777 bytes"]).map(([, offset]) => offset);

/** Bytes that a slow connection sends before the process is killed. */
const SLOW = 300_001;

const HEADERS = { "tus-resumable": "1.0.0" };

/** Sends a chunk up to an offset, then acts before it sends the rest. Settles when the request ends. */
async function send(url: string, bytes: Uint8Array, from: number, until: number, act: () => Promise<void>) {
  const outgoing = request(url, {
    method: "PATCH",
    headers: {
      ...HEADERS,
      "content-type": "application/offset+octet-stream",
      "upload-offset": from,
      "content-length": bytes.length - from,
    },
  });
  const status = new Promise<number>((resolve) => {
    outgoing.once("error", () => resolve(0));
    outgoing.once("response", (response) => {
      resolve(response.resume().statusCode ?? 0);
    });
  });
  for (let at = from; at < until; ) {
    const end = Math.min(at + WRITE_BYTES, until);
    const isTaken = outgoing.write(bytes.subarray(at, end));
    at = end;
    if (isTaken || outgoing.writableLength === 0) continue;
    const early = await Promise.race([once(outgoing, "drain"), status]);
    if (typeof early === "number") throw new Error(`the chunk was refused with ${early}`);
  }
  await act();
  if (until === bytes.length) outgoing.end();
  return status;
}

async function offsetOf(url: string): Promise<number> {
  const response = await fetch(url, { method: "HEAD", headers: HEADERS });
  return Number(response.headers.get("upload-offset"));
}

describe.each(["one growing item", "blocks"])("a tus upload into %s whose process is killed", (kind) => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "stepwell-kill-"));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  let starts = 0;
  async function start(): Promise<{ child: Child; printed: string[] }> {
    const child = await startChild(join(import.meta.dirname, "receiver.ts"), [base, kind, String(starts++)]);
    const isAddress = (line: string) => line.startsWith("http");
    await child.line(isAddress);
    return { child, printed: child.lines.find(isAddress)?.split(" ") ?? [] };
  }

  it("resumes after each kill and stores the right bytes", async () => {
    const bytes = content(SIZE);
    let { child, printed } = await start();
    const [, path = "", fileId = "", appId = ""] = printed;
    const created = await fetch(`${printed[0]}${path}`, {
      method: "POST",
      headers: { ...HEADERS, "upload-length": String(SIZE) },
    });
    expect(created.status).toBe(201);
    let offset = 0;
    for (const until of KILLS) {
      if (until <= offset) continue;
      const { kill, line } = child;
      const boundary = until - (until % MEBI);
      const acknowledged = line((text) => Number(text) >= boundary);
      await send(`${printed[0]}${path}`, bytes, offset, until, () => acknowledged.then(kill));
      ({ child, printed } = await start());
      const now = await offsetOf(`${printed[0]}${path}`);
      expect(now).toBeGreaterThanOrEqual(boundary);
      expect(now).toBeLessThanOrEqual(until);
      offset = now;
    }
    expect(offset).toBeGreaterThanOrEqual(KILLS[KILLS.length - 2] ?? SIZE);
    expect(await send(`${printed[0]}${path}`, bytes, offset, SIZE, async () => undefined)).toBe(204);
    await child.kill();

    const blobs = join(base, "blobs");
    const stepwell = createStepwell({
      storage: {
        entities: fs({ base: join(base, "entities") }),
        blobs: kind === "blocks" ? unstorageFs({ base: blobs }) : fs({ base: blobs }),
      },
    });
    expect(await stepwell.files.get(appId, fileId)).toMatchObject({ size: SIZE, sha256: sha256(bytes) });
    const { body } = await stepwell.files.content(appId, fileId);
    expect(sha256(new Uint8Array(await new Response(body).arrayBuffer()))).toBe(sha256(bytes));
    await stepwell.close();
  });

  it("keeps acknowledged bytes of less than one block", async () => {
    const first = await start();
    const [origin, path] = first.printed;
    const create = { method: "POST", headers: { ...HEADERS, "upload-length": String(SIZE) } };
    expect((await fetch(`${origin}${path}`, create)).status).toBe(201);
    const acknowledged = first.child.line((text) => Number(text) === SLOW);
    await send(`${origin}${path}`, content(SIZE), 0, SLOW, () => acknowledged.then(first.child.kill));
    const { child, printed } = await start();
    expect(await offsetOf(`${printed[0]}${path}`)).toBe(SLOW);
    await child.kill();
  });
});
