// Stepwell as a Deno server.
//
//   deno run -A examples/deno/server.js
//   sh examples/requests.sh http://localhost:3000
import { createStepwell } from "stepwell";
import fsDriver from "stepwell/storage/fs";

const {
  PORT = "3000",
  STORAGE = `${import.meta.dirname}/.stepwell`,
  ADMIN_KEY = "local-admin-key",
} = Deno.env.toObject();

const server = Deno.serve({ port: Number(PORT), onListen() {} }, (request) => stepwell.fetch(request));
const baseUrl = `http://localhost:${server.addr.port}`;

const stepwell = createStepwell({
  baseUrl,
  storage: { entities: fsDriver({ base: STORAGE }) },
  adminKey: ADMIN_KEY,
});

console.log(`stepwell is at ${baseUrl}`);
if (!Deno.env.has("ADMIN_KEY")) console.log(`The admin key is ${ADMIN_KEY}. Use it on this machine only.`);

for (const signal of ["SIGTERM", "SIGINT"]) Deno.addSignalListener(signal, stop);

async function stop() {
  await server.shutdown();
  await stepwell.close();
  Deno.exit();
}
