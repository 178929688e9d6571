/** For `--import`: starts threads from bundles where Node cannot load TypeScript. */
import { startThreadsFromBundles } from "./threads.js";

if (!process.features.typescript) startThreadsFromBundles();
