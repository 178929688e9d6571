/**
 * A process that creates documents in a Redis store and prints each acknowledged one, until it is killed. With `shared` as the
 * last argument, others may do the same at the same time.
 */
import { writeSync } from "node:fs";
import { createConnection } from "../../../adapters/storage/redis-store/connection.ts";
import { createErrors } from "../../../adapters/storage/redis-store/redis-errors.ts";
import { createRedisStore } from "../../../adapters/storage/redis-store/store.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { idOf } from "../../faults/creation.ts";

const [url = "", prefix = "", round = "0", leaseMs = "", mode] = process.argv.slice(2);
const ignore = () => undefined;
const logger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const connection = createConnection({ url }, `{${prefix}}:meta`);
const parts = { connection, errors: createErrors(null), clock: systemClock, logger };
const store = createRedisStore({ ...parts, leaseMs: Number(leaseMs), isShared: mode === "shared" });
let count = 0;

async function create(): Promise<void> {
  for (;;) {
    const id = idOf(Number(round), count++);
    await store.commit([
      { key: `thing:${id}`, document: { id }, rows: [{ list: "things", put: { id, text: id, marks: ["m"] } }] },
      { key: `other:${id}`, document: { id } },
    ]);
    writeSync(1, `${id}\n`);
    if (count % 5 === 0) await store.commit([{ key: `other:${id}`, document: null, expected: 1 }]);
  }
}

await Promise.all(Array.from({ length: 8 }, create));
