// Stepwell in an Express server, under its own path.
//
//   node examples/express/server.js
//   sh examples/requests.sh http://localhost:3000/automation
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import express from "express";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import fsDriver from "stepwell/storage/fs";

const { PORT = "3000", STORAGE, ADMIN_KEY = "local-admin-key" } = process.env;

const app = express();
app.use(express.json()); // for the server's own routes; Stepwell works with or without it
app.get("/", (_, response) => response.json({ hello: "world" }));

const server = app.listen(Number(PORT));
await once(server, "listening");
const baseUrl = `http://localhost:${server.address().port}/automation`;

const stepwell = createStepwell({
  baseUrl,
  storage: { entities: fsDriver({ base: STORAGE ?? fileURLToPath(new URL(".stepwell", import.meta.url)) }) },
  adminKey: ADMIN_KEY,
});
app.use("/automation", toNodeHandler(stepwell));

console.log(`stepwell is at ${baseUrl}`);
if (process.env.ADMIN_KEY === undefined) console.log(`The admin key is ${ADMIN_KEY}. Use it on this machine only.`);

process.once("SIGTERM", stop).once("SIGINT", stop);

async function stop() {
  server.close();
  await stepwell.close();
  process.exit();
}
