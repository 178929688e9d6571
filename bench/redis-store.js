/**
 * Five-step runs on the Redis store against the Redis driver, each on a Redis of its own, in one run: alone and 64 at once.
 * `node redis-store.js always` flushes each write of Redis to the disk. BENCH_MS is a round's length.
 */
import { loadavg } from "node:os";
import { report } from "./measure.js";
import { inTurns, startPeer } from "./peer.js";
import { startRedis } from "./servers.js";

const milliseconds = Number(process.env.BENCH_MS ?? 1_000);
const flush = process.argv[2] ?? "everysec";

console.log(`Node ${process.version}, load ${loadavg()[0].toFixed(2)} before`);
const servers = [];
const peers = {};
for (const as of ["store", "driver"]) {
  const server = await startRedis(["--appendfsync", flush]);
  if (server === null) process.exit();
  servers.push(server);
  const peer = await startPeer("stepwell-redis", { as, port: server.port });
  if (peer !== null) peers[as] = peer;
}
try {
  for (const at_once of [1, 64]) {
    const what = `Redis, ${flush}, ${at_once === 1 ? "alone" : "64 at once"}`;
    const seen = await inTurns(peers, { rounds: 5, milliseconds, at_once });
    for (const [name, { rate, p99, cpu }] of Object.entries(seen)) {
      report(`${what}: ${name}, runs`, rate, "/s");
      report(`${what}: ${name}, 99th percentile`, p99, "ms");
      report(`${what}: ${name}, processor time of a run`, cpu, "µs");
    }
    report(`${what}: runs on the store over those on the driver`, seen.store.than("driver"), "times");
  }
} finally {
  for (const peer of Object.values(peers)) await peer.close();
  for (const server of servers) await server.close();
}
console.log(`load ${loadavg()[0].toFixed(2)} after`);
process.exit();
