/**
 * The turn of a partial upload in a cluster. A request names itself in the document before it writes a byte, and no longer does so
 * once its last bytes are stored. A later request of another process asks it to end, there as well; a message only says that
 * there is something to read. If the process of the holder is lost, the later request takes its place: every write to the document
 * expects its version, so the holder acknowledges nothing more, even if it was only slow.
 */
import { isStepwellError, StepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Store, Stored } from "../../ports/store.ts";
import { elapsedOf } from "../../time/system-clock.ts";
import { SECOND_MS } from "../../time/units.ts";
import { type PartialUpload, partialKey, type TakeoverReason } from "./partial-upload.ts";
import { takeoverError } from "./upload-lock.ts";

/** The other processes that receive uploads into the same store. */
export interface OtherReceivers {
  /** ID of this process. Changes if the others have given it up. */
  readonly id: string;
  /** Whether another process, or this one, lives. */
  isAlive(id: string): Promise<boolean>;
  /** Tells the others that the turn of an upload has changed, or should. The message may be lost. */
  tell(uploadId: string): void;
  /** Calls the listener for each message of another process. Called once. */
  onTold(listener: (uploadId: string) => void): void;
}

export interface UploadTurns {
  /**
   * Waits until no request of another process writes to the upload. Asks one that does to end.
   * @throws StepwellError `unavailable` if it does not end within 20 seconds although its process lives
   */
  waitUntilFree(uploadId: string, signal: AbortSignal, why: TakeoverReason): Promise<void>;
  /** @throws StepwellError `conflict` if another process has taken the turn since it was free */
  check(found: Stored<PartialUpload>): void;
  /** Whether a request of another process that lives writes to the upload. */
  isHeldElsewhere(uploadId: string): Promise<boolean>;
  /** Takes the turn of a free upload. @throws StepwellError `conflict` if another request came first */
  take(free: Stored<PartialUpload>, abort: (reason: StepwellError) => void): Promise<Stored<PartialUpload>>;
  /**
   * Commits a change of the document that expects its version, again if it only changed because another request asks for the turn.
   * @param isLast Whether the change gives the turn back, or deletes the document.
   * @throws StepwellError `conflict` if another request has taken the turn
   */
  whileHeld<T>(
    held: Stored<PartialUpload>,
    commit: (held: Stored<PartialUpload>) => Promise<T>,
    isLast: boolean,
  ): Promise<T>;
  /** Gives the turn back, if this process still has it. Never rejects: it is tried again later. */
  end(uploadId: string): Promise<void>;
  /** Stops trying. */
  close(): void;
}

/** The turn of a request of this process. */
interface Turn {
  readonly token: string;
  isReturned: boolean;
  cancelLook(): void;
  abort(reason: StepwellError): void;
}

/** How often a request that waits looks at the document. */
const WAITER_LOOK_MS = 250;
/** How often a request that writes looks whether it was asked to end. */
const HOLDER_LOOK_MS = 2 * SECOND_MS;
/** Longer than it takes until a lost process counts as lost. */
const MAX_WAIT_MS = 20 * SECOND_MS;
const RETRY_MS = 2 * SECOND_MS;

export function createUploadTurns(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  others: OtherReceivers;
}): UploadTurns {
  const { store, clock, ids, others } = parts;
  const turns = new Map<string, Turn>();
  /** End the pauses of requests that wait. Those of this process wait for each other before. */
  const waiting = new Map<string, () => void>();
  let isClosed = false;

  const find = (uploadId: string) => store.get<PartialUpload>(partialKey(uploadId));

  async function put(document: PartialUpload, version: number): Promise<Stored<PartialUpload>> {
    await store.commit([{ key: partialKey(document.upload_id), document, expected: version }]);
    return { document, version: version + 1 };
  }

  others.onTold((uploadId) => {
    waiting.get(uploadId)?.();
    void look(uploadId);
  });

  /** Ends this process's request if another one asks for the turn, or has taken it. */
  async function look(uploadId: string): Promise<void> {
    const turn = turns.get(uploadId);
    if (turn === undefined) return;
    // While the store does not answer, nobody can have taken the turn for good: the next commit decides.
    const found = await find(uploadId).catch(() => undefined);
    if (found === undefined || turns.get(uploadId) !== turn || turn.isReturned) return;
    const isMine = found?.document.holder?.token === turn.token;
    const why = isMine ? found.document.asked : "replaced";
    if (why !== undefined) turn.abort(takeoverError(uploadId, why));
  }

  function lookLater(uploadId: string, turn: Turn): void {
    turn.cancelLook = clock.after(HOLDER_LOOK_MS, () => {
      lookLater(uploadId, turn);
      void look(uploadId);
    });
  }

  /** Whether the document has been changed so that the next look decides. */
  async function freeOrAsk({ document, version }: Stored<PartialUpload>, why: TakeoverReason): Promise<boolean> {
    const { holder, asked } = document;
    if (holder === undefined) return true;
    try {
      // Requests of this process have ended.
      if (holder.worker === others.id) await put(withoutHolder(document), version);
      else if (!(await others.isAlive(holder.worker))) {
        await put({ ...withoutHolder(document), is_abandoned: true }, version);
      } else {
        if (asked === undefined || (asked !== why && why === "deleted"))
          await put({ ...document, asked: why }, version);
        others.tell(document.upload_id);
        return false;
      }
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
    }
    return true;
  }

  function check({ document: { upload_id, holder } }: Stored<PartialUpload>): void {
    if (holder === undefined || holder.token === turns.get(upload_id)?.token) return;
    throw takeoverError(upload_id, "replaced");
  }

  function pause(uploadId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        signal.removeEventListener("abort", end);
        waiting.delete(uploadId);
        resolve();
      };
      const cancel = clock.after(WAITER_LOOK_MS, end);
      signal.addEventListener("abort", end);
      waiting.set(uploadId, end);
    });
  }

  async function giveBack(uploadId: string, token: string): Promise<void> {
    try {
      const found = await find(uploadId);
      if (found?.document.holder?.token !== token) return;
      await put(withoutHolder(found.document), found.version);
      others.tell(uploadId);
    } catch {
      if (!isClosed) clock.after(RETRY_MS, () => void giveBack(uploadId, token));
    }
  }

  return {
    async waitUntilFree(uploadId, signal, why) {
      const until = elapsedOf(clock) + MAX_WAIT_MS;
      for (;;) {
        signal.throwIfAborted();
        const found = await find(uploadId);
        if (found?.document.holder === undefined) return;
        if (await freeOrAsk(found, why)) continue;
        if (elapsedOf(clock) >= until) throw heldError();
        await pause(uploadId, signal);
      }
    },

    check,

    async isHeldElsewhere(uploadId) {
      const worker = (await find(uploadId))?.document.holder?.worker;
      return worker !== undefined && worker !== others.id && (await others.isAlive(worker));
    },

    async take(free, abort) {
      check(free);
      const { document, version } = free;
      const { upload_id: uploadId } = document;
      const token = ids.random(16);
      const turn: Turn = { token, isReturned: false, cancelLook: () => undefined, abort };
      turns.set(uploadId, turn);
      lookLater(uploadId, turn);
      try {
        return await put({ ...document, holder: { worker: others.id, token } }, version);
      } catch (error) {
        throw isStepwellError(error, "conflict") ? takeoverError(uploadId, "replaced") : error;
      }
    },

    async whileHeld(held, commit, isLast) {
      const { upload_id: uploadId, holder } = held.document;
      for (let current = held; ; ) {
        try {
          const result = await commit(current);
          const turn = turns.get(uploadId);
          if (isLast && turn !== undefined) turn.isReturned = true;
          if (isLast) others.tell(uploadId);
          return result;
        } catch (error) {
          if (!isStepwellError(error, "conflict") || error.key !== partialKey(uploadId)) throw error;
          const found = await find(uploadId);
          const isMine = holder !== undefined && found?.document.holder?.token === holder.token;
          if (!isMine) throw takeoverError(uploadId, "replaced");
          const { asked = "replaced" } = found.document;
          turns.get(uploadId)?.abort(takeoverError(uploadId, asked));
          current = { document: { ...held.document, asked }, version: found.version };
        }
      }
    },

    async end(uploadId) {
      const turn = turns.get(uploadId);
      if (turn === undefined) return;
      turns.delete(uploadId);
      turn.cancelLook();
      if (!turn.isReturned) await giveBack(uploadId, turn.token);
    },

    close() {
      isClosed = true;
    },
  };
}

export function withoutHolder({ holder: _holder, asked: _asked, ...document }: PartialUpload): PartialUpload {
  return document;
}

function heldError(): StepwellError {
  const message = "Another process is still storing bytes of this upload. Send the request again.";
  return new StepwellError("unavailable", message, { publicDetail: message });
}
