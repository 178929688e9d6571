import { createStepwell } from "stepwell";
import { webConsole } from "stepwell/console";
import { nextStepwell } from "stepwell/next";
import fsDriver from "stepwell/storage/fs";

const { PORT = "3000", STORAGE = ".stepwell", ADMIN_KEY = "local-admin-key" } = process.env;
const baseUrl = `http://localhost:${PORT}/automation`;

export const { getStepwell, handlers } = nextStepwell(() => {
  console.log(`stepwell is at ${baseUrl}, its console at ${baseUrl}/console`);
  if (process.env.ADMIN_KEY === undefined) console.log(`The admin key is ${ADMIN_KEY}. Use it on this machine only.`);
  return createStepwell({
    baseUrl, // the public URL, including the path of the route
    storage: { entities: fsDriver({ base: STORAGE }) },
    adminKey: ADMIN_KEY,
    console: webConsole(),
  });
});
