// Stepwell as a Bun server.
//
//   bun examples/bun/server.js
//   sh examples/requests.sh http://localhost:3000
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";

const { PORT = "3000", STORAGE = `${import.meta.dir}/.stepwell`, ADMIN_KEY = "local-admin-key" } = process.env;

const server = Bun.serve({ port: PORT, fetch: (request) => stepwell.fetch(request) });
const baseUrl = `http://localhost:${server.port}`;

const stepwell = createStepwell({
  baseUrl,
  storage: { entities: fsDriver({ base: STORAGE }) },
  adminKey: ADMIN_KEY,
});

console.log(`stepwell is at ${baseUrl}`);
if (process.env.ADMIN_KEY === undefined) console.log(`The admin key is ${ADMIN_KEY}. Use it on this machine only.`);

process.once("SIGTERM", stop).once("SIGINT", stop);

async function stop() {
  await server.stop();
  await stepwell.close();
  process.exit();
}
