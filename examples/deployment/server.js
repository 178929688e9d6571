// A server that starts, reports its health, and shuts down in order: node examples/deployment/server.js
import { once } from "node:events";
import { createServer } from "node:http";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import fsDriver from "stepwell/storage/fs";

const { PORT = "3000", STORAGE = ".stepwell", PUBLIC_URL, ADMIN_KEY } = process.env;

const server = createServer().listen(Number(PORT));
await once(server, "listening");
const address = `http://localhost:${server.address().port}`;
const stepwell = createStepwell({
  baseUrl: PUBLIC_URL ?? address, // Stepwell never trusts a Host header
  adminKey: ADMIN_KEY, // without one, the admin endpoints are closed
  storage: { entities: fsDriver({ base: STORAGE }) },
  limits: { runRetentionMs: 30 * 86_400_000 }, // delete ended runs after 30 days
});
server.on("request", toNodeHandler(stepwell));
server.requestTimeout = 0; // Stepwell times out slow senders itself; Node's 5 minutes end large uploads
console.log(`listening at ${address}`);

process.once("SIGTERM", stop).once("SIGINT", stop);

async function stop() {
  console.log("stopping");
  server.close(); // take no new connections
  server.closeIdleConnections();
  await stepwell.close(); // store what is in progress, release the storage
  server.closeAllConnections(); // event streams of clients that are still connected
  console.log("stopped");
}
