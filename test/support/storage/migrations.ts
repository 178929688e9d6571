/** A storage with one of everything, and all that a storage contains. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHash } from "../../../adapters/crypto/node-hash.ts";
import { findBlob } from "../../../src/api/storage/document-bytes.ts";
import { openEntities } from "../../../src/compose/storage.ts";
import { createIds } from "../../../src/ids.ts";
import { createStepwell, type MigratedStorage, type Stepwell } from "../../../src/index.ts";
import { isMovable } from "../../../src/ports/store-contents.ts";
import { createTestClock } from "../../../src/testing/index.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { fillApp, MCP_ECHO, SERVICES, TRIGGERS } from "../http/fill-app.ts";
import { ADMIN_KEY, BASE } from "../http/transports.ts";
import { silent } from "./open.ts";

export function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), "stepwell-migrate-"));
  return { folder, path: (name: string) => join(folder, name), clean: () => rmSync(folder, { recursive: true }) };
}

/** Starts a service, does something with it, and closes it. */
export async function withService<Result>(
  storage: MigratedStorage,
  work: (stepwell: Stepwell) => Promise<Result>,
): Promise<Result> {
  const { entities, blobs } = storage;
  const clock = createTestClock();
  const stepwell = createStepwell({
    ...{ baseUrl: BASE, adminKey: ADMIN_KEY, secret: "s".repeat(40), logger: silent, clock },
    ...{ services: SERVICES, triggers: TRIGGERS, mcp: MCP_ECHO },
    storage: blobs === undefined ? { entities } : { entities, blobs },
  });
  try {
    return await work(stepwell);
  } finally {
    const closed = stepwell.close();
    await clock.advance("1m");
    await closed;
  }
}

export interface Filled {
  readonly app: string;
  /** A run that waits for the input of the step `ask`. */
  readonly run: string;
  readonly file: string;
}

/** Fills a storage through a service: everything that an app may have, open runs, and partial uploads. */
export const fillStorage = (storage: MigratedStorage): Promise<Filled> =>
  withService(storage, async (stepwell) => {
    const { id: app } = await stepwell.apps.create({ name: "Filled" });
    await fillApp(stepwell, app);
    const { id: workflow } = await stepwell.workflows.create(app, {
      name: "Asks later",
      steps: [
        { type: "input", key: "start", input: {}, destinations: ["ask"] },
        { type: "input", key: "ask", input: { ok: { type: "boolean" } } },
      ],
    });
    await stepwell.workflows.deploy(app, workflow);
    const { id: run } = await stepwell.runs.create(app, workflow, {});
    const { id: file } = await stepwell.files.create(app, {
      name: "letter.txt",
      body: new Uint8Array(3_000_000).fill(7),
    });
    // The name with the subject is a mark that PostgreSQL stores by its digest.
    await stepwell.events.emit(app, { name: "order.paid", subject: "s".repeat(256), key: "k" });
    return { app, run, file };
  });

/** The open run goes on, and the bytes of the file are there. */
export const finishOn = (storage: MigratedStorage, { app, run, file }: Filled) =>
  withService(storage, async (stepwell) => {
    await stepwell.runs.provide(app, run, "ask", { ok: true });
    const { status } = await stepwell.runs.wait(app, run);
    const { body } = await stepwell.files.content(app, file);
    const bytes = new Uint8Array(await new Response(body).arrayBuffer());
    return { status, size: bytes.length, isSame: bytes.every((byte) => byte === 7) };
  });

/** Everything in a storage, read as a migration reads it, and the order of each list as a service reads it. */
export async function contentsOf({ entities, blobs }: MigratedStorage) {
  const ports = { clock: systemClock, ids: createIds(systemClock), logger: silent, hash: nodeHash, isShared: false };
  const opened = openEntities(blobs === undefined ? {} : { blobs }, entities, ports);
  const { store } = opened;
  if (!isMovable(store)) throw new Error("The store cannot be moved.");
  const documents: string[] = [];
  const rows: string[] = [];
  const owned: string[] = [];
  const lists: Record<string, readonly string[]> = {};
  const ownerOf = (list: string, id: string, owner: string) => void owned.push(`${list}/${id} ${owner}`);
  for await (const page of store.contents.documents(null)) {
    for (const { key, version, document, rows: own = [] } of page) {
      if (key === "migration:state") continue;
      const found = findBlob(key, document);
      const { block_size: _, tail: _tail, ...blob } = { tail: "", block_size: 0, ...found?.blob };
      documents.push(JSON.stringify([key, version, found?.replace(blob) ?? document]));
      for (const { list, row } of own) ownerOf(list, row.id, key);
    }
  }
  for await (const page of store.contents.rows(null)) {
    for (const { list, row, document } of page) {
      const { id, order = id, text = "", marks = [] } = row;
      rows.push(JSON.stringify([list, id, order, text, [...marks].sort()]));
      if (document !== null) ownerOf(list, id, document);
      lists[list] = [];
    }
  }
  for (const list of Object.keys(lists)) {
    lists[list] = (await store.list(list, { limit: 100_000, descending: false })).ids;
  }
  await store.close();
  await opened.blobDriver?.dispose?.();
  return { documents: documents.sort(), rows: rows.sort(), owned: owned.sort(), lists };
}
