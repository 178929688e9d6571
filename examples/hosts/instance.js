// The instance that each server in this folder mounts at /automation.
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createStepwell } from "stepwell";
import { webConsole } from "stepwell/console";
import fsDriver from "stepwell/storage/fs";

const { PORT = "3000", STORAGE, ADMIN_KEY = "local-admin-key" } = process.env;
const baseUrl = `http://localhost:${PORT}/automation`;

export const port = Number(PORT);

export const stepwell = createStepwell({
  baseUrl, // the public URL, including the path at which the server mounts Stepwell
  storage: { entities: fsDriver({ base: STORAGE ?? fileURLToPath(new URL(".stepwell", import.meta.url)) }) },
  adminKey: ADMIN_KEY,
  console: webConsole(),
});

export function printUrl() {
  console.log(`stepwell is at ${baseUrl}, its console at ${baseUrl}/console`);
  if (process.env.ADMIN_KEY === undefined) console.log(`The admin key is ${ADMIN_KEY}. Use it on this machine only.`);
}

process.once("SIGTERM", stop).once("SIGINT", stop);

async function stop() {
  await stepwell.close(); // stores what is in progress, releases the storage
  process.exit();
}
