/**
 * Runs the script of `build/bytecode.ts` with the bytecode that V8 made of it in an earlier process. Node.js 20 keeps none
 * for modules.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { setTimeout } from "node:timers";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** Of the CRC-32 behind the bytecode. */
const CHECKSUM_BYTES = 4;

/** Milliseconds until the bytecode is kept: of what a process needs at its start. */
const KEPT_AFTER_MS = 5_000;

type Run = (module: { exports: object }, require: NodeJS.Require, load: (name: string) => Promise<unknown>) => void;

/**
 * Returns what the script exports.
 * @param load Imports a module that the script names. V8 knows no other way for scripts with bytecode.
 */
export function loadScript(url: URL, load: (name: string) => Promise<unknown>): object {
  const filename = fileURLToPath(url);
  // Versions of Node.js may share the tag of V8, and yet crash with each other's bytecode.
  const bytecodeFile = `${filename}.${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}`;
  const cachedData = read(bytecodeFile);
  const script = new Script(readFileSync(filename, "latin1"), { filename, cachedData });
  const run: Run = script.runInThisContext();
  const module = { exports: {} };
  run(module, createRequire(url), load);
  if (cachedData === undefined || script.cachedDataRejected === true) {
    whenUsed(() => keep(bytecodeFile, script.createCachedData()));
  }
  return module.exports;
}

/** Returns the bytecode if it is what was kept: V8 runs what it gets, and damage ends the process. */
function read(file: string): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const bytecode = kept.subarray(0, -CHECKSUM_BYTES);
    return kept.readUInt32LE(bytecode.length) === crc32(bytecode) ? bytecode : undefined;
  } catch {
    return undefined;
  }
}

/** Later, V8 has compiled what the process needed, and the bytecode has it too. */
function whenUsed(work: () => void): void {
  const done = () => {
    clearTimeout(timer);
    process.off("exit", done);
    work();
  };
  const timer = setTimeout(done, KEPT_AFTER_MS).unref();
  process.on("exit", done);
}

function withChecksum(bytecode: Buffer): Buffer {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(bytecode));
  return Buffer.concat([bytecode, checksum]);
}

/** Never half of it, because V8 may trust what it reads. Where nothing can be written, the next process compiles again. */
function keep(file: string, bytecode: Buffer): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    const descriptor = openSync(unfinished, "w");
    writeFileSync(descriptor, withChecksum(bytecode));
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(unfinished, file);
  } catch {
    rmSync(unfinished, { force: true });
  }
}
