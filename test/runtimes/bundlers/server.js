/** A user's server, which the tests bundle. It listens on a free port and prints its URL. */
import { createServer } from "node:http";
import process from "node:process";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import { createMcpServer, mcpService } from "stepwell/mcp";
import { createPlaywrightBrowser } from "stepwell/playwright";
import fsDriver from "stepwell/storage/fs";
import redisDriver from "stepwell/storage/redis";
import s3Driver from "stepwell/storage/s3";

/** Bundled although their packages are not installed. */
export const unused = [createMcpServer, mcpService, redisDriver, s3Driver];

const { ADMIN_KEY, STORAGE } = process.env;
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const stepwell = createStepwell({
    baseUrl,
    adminKey: ADMIN_KEY,
    storage: { entities: fsDriver({ base: STORAGE }) },
    browser: createPlaywrightBrowser(),
    models: { any: () => ({}) },
  });
  server.on("request", toNodeHandler(stepwell));
  console.log(`listening on ${baseUrl}`);
});
