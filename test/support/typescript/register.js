/** For `--import`: worker threads, too, load TypeScript on Node before 22.18, which cannot by itself. */
import { register } from "node:module";

if (!process.features.typescript) register("./loader.js", import.meta.url);
