// One process of the service: ROLE=web serves HTTP, ROLE=worker executes runs. `cluster.js` starts several of each.
import { once } from "node:events";
import { createServer } from "node:http";
import { createStepwell } from "stepwell";
import { bullmq } from "stepwell/cluster";
import { toNodeHandler } from "stepwell/http/node";
import postgres from "stepwell/storage/postgres";
import redisDriver from "stepwell/storage/redis";
import redisStore from "stepwell/storage/redis-store";
import { createShopService } from "./shop-service.js";

const { ROLE, NAME, STORE, NAMESPACE, REDIS_URL, DATABASE_URL, SHOP_URL, ADMIN_KEY, SECRET, PORT = "0" } = process.env;

// What the others must know of this process for their table. Your processes don't need it.
const tell = (message) => process.connected && process.send(message);
let load = () => ({ running: 0 });
let requests = 0;

// Everything that is stored must be the same in all processes: the store, blobs that all of them reach, and the secret.
// So must the services and triggers. The roles only differ in `work`.
const stepwell = createStepwell({
  storage: {
    entities:
      STORE === "redis"
        ? redisStore({ url: REDIS_URL, prefix: NAMESPACE })
        : postgres({ url: DATABASE_URL, schema: NAMESPACE }),
    blobs: redisDriver({ url: REDIS_URL, prefix: `${NAMESPACE}:blobs:` }),
  },
  cluster: bullmq({ connection: REDIS_URL, prefix: NAMESPACE, work: ROLE === "worker", concurrency: 20 }),
  secret: SECRET,
  adminKey: ADMIN_KEY,
  services: [createShopService(SHOP_URL, NAME)],
  telemetry: { created: (measure) => (load = measure), runEnded: () => {} },
  logger: { debug() {}, info() {}, warn: log, error: log },
});

const server = createServer(toNodeHandler(stepwell)).on("request", () => requests++);
if (ROLE === "web") await once(server.listen(Number(PORT), "127.0.0.1"), "listening");

process.once("SIGTERM", async () => {
  server.close(); // take no new connections
  server.closeIdleConnections();
  await stepwell.close(); // finish steps, hand all runs over
  server.closeAllConnections();
  process.exit();
});
process.once("disconnect", () => process.exit()); // cluster.js was killed

await stepwell.ready();
tell({ port: server.address()?.port });
setInterval(() => tell({ running: load().running, requests }), 250);

function log(message, { error } = {}) {
  tell({ log: error === undefined ? message : `${message}: ${error.message}` });
}
