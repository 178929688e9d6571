/** For `--import`: lets Node before 22.18 load TypeScript, including in worker threads. */
import { register } from "node:module";
import { startThreadsFromBundles } from "./threads.js";

if (!process.features.typescript) {
  register("./loader.js", import.meta.url);
  startThreadsFromBundles();
}
