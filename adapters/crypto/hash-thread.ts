/**
 * Hashes blocks on one thread for all uploads, in the order in which they come, and writes those of files there. The thread
 * starts with the first hash and ends when it has been idle for a while. A thread that cannot start loses nothing: its blocks
 * are hashed here, and so are all later ones. A thread that fails later takes the state of its hashes along, so they are lost;
 * after several such threads that ended no hash, all later blocks are hashed here, too.
 */
import { StepwellError } from "../../src/errors.ts";
import type { LentFile } from "../../src/ports/driver.ts";
import type { Block, BlockHash } from "../../src/ports/hash.ts";
import { createLocalHash, type LocalHash } from "./local-hash.ts";

export interface HashThread {
  open(): BlockHash;
}

/** What the thread does: adds a block to a hash and perhaps writes it to a file, or ends the hash. */
export interface HashRequest {
  readonly hash: number;
  /** Transferred. Null ends the hash. */
  readonly block: Block | null;
  readonly file?: LentFile | undefined;
}

/** The replies come in the order of the requests. */
export interface HashReply {
  /** The block of the request, transferred back. Empty at the end of the hash. */
  readonly block: Block;
  /** Empty except at the end of the hash. */
  readonly digest: string;
  /** Why the block could not be written. */
  readonly failure?: { readonly message: string; readonly code?: string };
}

export interface HashWorker {
  /** Transfers the block. */
  post(request: HashRequest): void;
  /** Sets whether the thread keeps the process alive. Initially, it does. */
  keepAlive(isNeeded: boolean): void;
  /** Resolves when the thread has ended, and writes to no file any more. */
  terminate(): Promise<unknown>;
}

/** Rejects if there are no threads. */
export type StartHashWorker = (events: {
  onReady(): void;
  onReply(reply: HashReply): void;
  /** Called when the thread has ended, for any reason. */
  onEnd(): void;
}) => Promise<HashWorker>;

/** Threads in a row that may fail without having ended a hash: something in this process ends them all. */
const MAX_FAILED_THREADS = 3;
const IDLE_LIMIT_MS = 10_000;
const START_LIMIT_MS = 10_000;
const NO_BYTES: Block = new Uint8Array(0);

interface Job extends HashRequest {
  resolve(reply: HashReply): void;
  reject(error: Error): void;
  /** Hashes without the thread. */
  runHere(): void;
}

/** A thread from its start to its end. */
interface Session {
  /** Undefined while it starts. */
  worker?: HashWorker;
  readonly sent: Job[];
  end(): void;
}

export function createHashThread(start: StartHashWorker): HashThread {
  /** Marks each open hash as lost, with its state. */
  const openHashes = new Map<number, () => void>();
  /** Jobs until the thread is ready. */
  const waiting: Job[] = [];
  let session: Session | null = null;
  let isReady = false;
  let canStart = true;
  let failedThreads = 0;
  let lastHash = 0;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;

  function submit(job: Job): void {
    clearTimeout(idleTimer);
    session ??= startSession();
    if (isReady) send(session, job);
    else waiting.push(job);
  }

  function send({ worker, sent }: Session, job: Job): void {
    worker?.post({ hash: job.hash, block: job.block, file: job.file });
    sent.push(job);
    if (sent.length === 1) worker?.keepAlive(true);
  }

  function startSession(): Session {
    const started: Session = { sent: [], end: () => onEnd(started) };
    const limit = setTimeout(started.end, START_LIMIT_MS);
    start({
      onReady() {
        clearTimeout(limit);
        if (session !== started) return;
        isReady = true;
        for (const job of waiting.splice(0)) send(started, job);
      },
      onReply(reply) {
        const job = started.sent.shift();
        if (job?.block === null) failedThreads = 0;
        if (reply.failure === undefined) job?.resolve(reply);
        else job?.reject(Object.assign(new Error(reply.failure.message), { code: reply.failure.code }));
        if (started.sent.length === 0) onIdle(started);
      },
      onEnd() {
        clearTimeout(limit);
        started.end();
      },
    }).then(
      (worker) => {
        if (session === started) started.worker = worker;
        else void worker.terminate();
      },
      () => {
        clearTimeout(limit);
        started.end();
      },
    );
    return started;
  }

  function onIdle({ worker, end }: Session): void {
    worker?.keepAlive(false);
    if (openHashes.size > 0) return;
    idleTimer = setTimeout(end, IDLE_LIMIT_MS);
    idleTimer.unref();
  }

  function onEnd(ended: Session): void {
    if (session !== ended) return;
    session = null;
    const wasReady = isReady;
    isReady = false;
    const stopped = Promise.resolve(ended.worker?.terminate());
    for (const job of waiting.splice(0)) job.runHere();
    const isIdle = openHashes.size === 0 && ended.sent.length === 0;
    if (!isIdle) failedThreads++;
    canStart &&= wasReady && failedThreads < MAX_FAILED_THREADS;
    if (!wasReady) return;
    for (const lose of openHashes.values()) lose();
    openHashes.clear();
    // What is rejected may close its file, whose number the next file gets.
    void stopped.then(() => {
      for (const job of ended.sent.splice(0)) job.reject(lostError());
    });
  }

  function open(): BlockHash {
    const hash = ++lastHash;
    let local: LocalHash | null = canStart ? null : createLocalHash();
    let isLost = false;

    function hashHere(block: Block | null): HashReply {
      local ??= createLocalHash();
      return block === null ? { block: NO_BYTES, digest: local.digest() } : { block: local.add(block), digest: "" };
    }

    async function request(block: Block | null, file?: LentFile): Promise<HashReply> {
      if (isLost) throw lostError();
      if (local !== null) return hashHere(block);
      return new Promise((resolve, reject) => {
        submit({ hash, block, file, resolve, reject, runHere: () => resolve(hashHere(block)) });
      });
    }

    function end(): Promise<HashReply> {
      openHashes.delete(hash);
      return request(null);
    }

    if (local === null) {
      openHashes.set(hash, () => {
        isLost = true;
      });
    }
    return {
      add: async (block, file) => (await request(block, file)).block,
      // Blocks that wait for the thread may have to be hashed here.
      get writesFiles() {
        return local === null && isReady;
      },
      digest: async () => (await end()).digest,
      discard() {
        if (openHashes.has(hash)) end().catch(() => undefined);
      },
      get isLost() {
        return isLost;
      },
    };
  }

  return { open };
}

function lostError(): StepwellError {
  return new StepwellError("unavailable", "The thread that hashed the bytes has failed. Send them again.");
}
