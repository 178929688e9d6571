/**
 * Moves everything from one store to another: documents with their versions and rows, and the bytes of files. It can be
 * interrupted at any moment, and resumed.
 */
import { isStepwellError, StepwellError } from "../../errors.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Document, Key } from "../../ports/store.ts";
import type { ContentRow, ContentWrite, MovableStore } from "../../ports/store-contents.ts";
import { copyDocuments, copyRows } from "./copy-contents.ts";
import { type BlobSide, checkBlob, copyBlob, type FindBlob, LostCopyError, verifyBlob } from "./document-blobs.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { type Fingerprint, MIGRATION_KEY, type MigrationState, stateWrite } from "./migration-state.ts";

/** How far a migration is. */
export interface MigrationProgress {
  /**
   * `reading` counts the source, `documents` copies documents with the bytes of files, `rows` copies rows that were not
   * copied with documents, and `checking` reads everything in the target and compares it.
   */
  readonly phase: "reading" | "documents" | "rows" | "checking";
  /** Number of documents and rows of this phase that are done. */
  readonly done: number;
  /** Their number in all. Undefined while it is unknown. */
  readonly total: number | undefined;
  /** Bytes of files that this call has copied, or compared while checking. */
  readonly bytes: number;
}

/** One side of a migration. */
export interface MigrationSide extends BlobSide {
  readonly store: MovableStore;
}

export interface MigrationParts {
  readonly from: MigrationSide;
  readonly to: MigrationSide;
  /** Whether the bytes of files stay where they are, because both sides use the same driver. */
  readonly keepsBytes: boolean;
  readonly findBlob: FindBlob;
  readonly hash: Hash;
  readonly onProgress: (progress: MigrationProgress) => void;
  readonly signal: AbortSignal | undefined;
}

export interface Migrated {
  readonly contents: Fingerprint;
  /** Whether it went on with an earlier attempt. */
  readonly isResumed: boolean;
}

/**
 * @throws StepwellError `conflict` if the target contains anything but an earlier attempt of the same migration,
 * `unavailable` if a driver fails or something is damaged. Unless the target was refused, it can be repeated.
 */
export async function migrate(parts: MigrationParts): Promise<Migrated> {
  const { from, to, hash, findBlob, signal } = parts;
  const isUnfinished = (await from.store.get<MigrationState>(MIGRATION_KEY))?.document.status === "unfinished";
  if (isUnfinished)
    throw conflict("The source is itself the target of an unfinished migration. Finish that one first.");
  const found = await to.store.get<MigrationState>(MIGRATION_KEY);
  if (found === null) await requireEmpty(to.store);

  const { report, addBytes } = createReporter(parts);
  const source = await fingerprintOf(from.store.contents, hash, findBlob, report("reading", undefined));
  requireSameSource(found?.document, source);
  let state: MigrationState = found?.document ?? startOf(source);
  let version = found?.version ?? 0;
  let mayExist = found !== null;

  async function commit(
    writes: readonly ContentWrite[],
    derived: readonly ContentRow[],
    next: Partial<MigrationState>,
  ): Promise<void> {
    signal?.throwIfAborted();
    const after = { ...state, ...next };
    const rows = derived.map(({ list, row }) => ({ list, put: row }));
    await to.store.contents.write([...writes, stateWrite(after, version + 1)], rows);
    version++;
    state = after;
    mayExist = false;
  }

  async function copyBytes(key: Key, document: Document): Promise<Document> {
    signal?.throwIfAborted();
    const found = parts.keepsBytes ? null : findBlob(key, document);
    if (found === null || found.blob.size === 0) return document;
    return found.replace(await copyBlob(key, found.blob, { from, to, mayExist, onBytes: addBytes }));
  }

  const copy = { from: from.store, to: to.store, state: () => state, copyBytes };
  if (found === null) await commit([], [], {});
  if (state.phase === "documents") {
    const onDocuments = report("documents", source.documents, state.documents);
    await copyDocuments({ ...copy, commit: counted(commit, () => state.documents, onDocuments) });
    await commit([], [], { phase: "rows" });
  }
  if (state.phase === "rows") {
    const onRows = report("rows", source.rows, state.rows);
    await copyRows({ ...copy, commit: counted(commit, () => state.rows, onRows) });
    await commit([], [], { phase: "checking" });
  }
  const isFinished = state.status === "finished";
  await check(parts, source, report("checking", source.documents + source.rows), addBytes).catch((error: unknown) => {
    throw isFinished ? sinceFinished(error) : error;
  });
  if (!isFinished) await commit([], [], { status: "finished" });
  return { contents: source, isResumed: found !== null };
}

const startOf = (source: Fingerprint): MigrationState => ({
  ...{ status: "unfinished", phase: "documents", document: null, row: null, documents: 0, rows: 0 },
  source,
});

type Commit = (
  writes: readonly ContentWrite[],
  derived: readonly ContentRow[],
  next: Partial<MigrationState>,
) => Promise<void>;

/** Reports what each commit has added. */
function counted(commit: Commit, count: () => number, onItems: (count: number) => void): Commit {
  return async (writes, derived, next) => {
    const before = count();
    await commit(writes, derived, next);
    onItems(count() - before);
  };
}

function createReporter({ onProgress }: Pick<MigrationParts, "onProgress">) {
  let bytes = 0;
  let current: Omit<MigrationProgress, "bytes"> = { phase: "reading", done: 0, total: undefined };
  const tell = () => onProgress({ ...current, bytes });
  return {
    /** Begins a phase. @returns A function for what is done. */
    report(phase: MigrationProgress["phase"], total: number | undefined, done = 0) {
      current = { phase, done, total };
      bytes = 0;
      tell();
      return (count: number) => {
        current = { ...current, done: current.done + count };
        tell();
      };
    },
    addBytes(size: number) {
      bytes += size;
      tell();
    },
  };
}

async function requireEmpty({ contents }: MovableStore): Promise<void> {
  for await (const [first] of contents.documents(null)) {
    if (first === undefined) continue;
    throw conflict(`The target is not empty: it contains "${first.key}". Empty it, or choose another one.`);
  }
  for await (const [first] of contents.rows(null)) {
    if (first === undefined) continue;
    throw conflict(`The target is not empty: it contains the list "${first.list}". Empty it, or choose another one.`);
  }
}

function requireSameSource(before: MigrationState | undefined, source: Fingerprint): void {
  if (before === undefined || before.source.digest === source.digest) return;
  throw conflict(
    before.status === "finished"
      ? "A migration to this target has finished, of another source or before the source changed. Empty the target, or choose another one."
      : "The target contains an unfinished migration of another source, or the source has changed since. Empty the target, and begin again.",
  );
}

/** Compares everything with the source. */
async function check(
  { from, to, hash, findBlob, keepsBytes, signal }: MigrationParts,
  source: Fingerprint,
  onItems: (count: number) => void,
  addBytes: (size: number) => void,
): Promise<void> {
  const target = await fingerprintOf(to.store.contents, hash, findBlob, (count) => {
    signal?.throwIfAborted();
    onItems(count);
  });
  if (JSON.stringify(target) !== JSON.stringify(source)) throw differs(source, target);
  if (source.files === 0) return;
  for await (const page of to.store.contents.documents(null)) {
    for (const { key, document } of page) {
      const found = findBlob(key, document);
      if (found === null || found.blob.size === 0) continue;
      signal?.throwIfAborted();
      if (keepsBytes) {
        await verifyBlob(key, found.blob, to);
      } else {
        const stored = await from.store.get(key);
        const original = stored === null ? null : findBlob(key, stored.document);
        if (original === null) throw conflict(`The source has changed: "${key}" is missing. Begin again.`);
        await checkBlob(key, { source: original.blob, target: found.blob }, { from, to, hash });
      }
      addBytes(found.blob.size);
    }
  }
}

function differs(source: Fingerprint, target: Fingerprint): StepwellError {
  const names = ["documents", "lists", "rows", "files", "bytes"] as const;
  const counts = names.filter((name) => source[name] !== target[name]);
  const what = counts.map((name) => `${target[name]} of ${source[name]} ${name}`).join(", ") || "other contents";
  const message = `The target does not have what the source has: ${what}. Something else has used one of them. Empty the target, and begin again.`;
  return conflict(message);
}

function sinceFinished(error: unknown): unknown {
  if (error instanceof LostCopyError) {
    return conflict(
      `The migration to this target has finished with other blobs: those given now do not have the bytes of "${error.document}". Pass the ones that it has finished with.`,
    );
  }
  if (!isStepwellError(error) || error.code !== "conflict") return error;
  return conflict(
    "The migration to this target has finished before, and the target was used since. There is nothing to do.",
  );
}

const conflict = (message: string) => new StepwellError("conflict", message);
