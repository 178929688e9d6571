/**
 * Starts worker threads from bundles: tests start hundreds of them, and each would load the loader and a hundred files.
 */
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";
import { bundleOf } from "./bundle.js";

const ENTRY = /\/stepwell-[a-z]+-worker\.ts$/;
/** Sources do not change while a process of the tests runs. */
const bundles = new Map();

export function startThreadsFromBundles() {
  threads.Worker = class Worker extends threads.Worker {
    constructor(entry, options) {
      const isSource = entry instanceof URL && ENTRY.test(entry.pathname);
      super(isSource ? bundled(entry) : entry, isSource ? { ...options, execArgv: [] } : options);
    }
  };
  syncBuiltinESMExports();
}

function bundled(entry) {
  const found = bundles.get(entry.href) ?? bundleOf(entry);
  bundles.set(entry.href, found);
  return found;
}
