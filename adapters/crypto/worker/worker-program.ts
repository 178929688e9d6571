/** Starts the thread of hashes. Its program is a text, because it is short and has no file then that a bundle could lack. */
import { Worker } from "node:worker_threads";
import { inheritedFlags } from "../../threads/inherited-flags.ts";
import type { HashReply, StartHashWorker } from "../hash-thread.ts";

const READY = "ready";

const PROGRAM = `
const { createHash } = require("node:crypto");
const { writeSync } = require("node:fs");
const { parentPort } = require("node:worker_threads");
const hashes = new Map();
function write(block, { descriptor, position }) {
  for (let at = 0; at < block.length; ) at += writeSync(descriptor, block, at, block.length - at, position + at);
}
parentPort.on("message", ({ hash, block, file }) => {
  if (block === null) {
    const digest = hashes.get(hash).digest("hex");
    hashes.delete(hash);
    parentPort.postMessage({ block: new Uint8Array(0), digest });
    return;
  }
  if (!hashes.has(hash)) hashes.set(hash, createHash("sha256"));
  hashes.get(hash).update(block);
  let failure;
  try {
    if (file !== undefined) write(block, file);
  } catch ({ message, code }) {
    failure = { message, code };
  }
  parentPort.postMessage({ block, digest: "", failure }, [block.buffer]);
});
parentPort.postMessage("${READY}");
`;

export const startHashWorker: StartHashWorker = async ({ onReady, onReply, onEnd }) => {
  const worker = new Worker(PROGRAM, { ...inheritedFlags(), eval: true, env: {} });
  worker.on("message", (message: HashReply | typeof READY) => (message === READY ? onReady() : onReply(message)));
  worker.on("messageerror", onEnd);
  worker.on("error", onEnd);
  worker.on("exit", onEnd);
  return {
    post: (request) => worker.postMessage(request, request.block === null ? [] : [request.block.buffer]),
    keepAlive(isNeeded) {
      if (isNeeded) worker.ref();
      else worker.unref();
    },
    terminate: () => worker.terminate(),
  };
};
