/** Reads all entries of all levels in the order of their keys, with one segment of each level in memory. */
import { damaged } from "../../errors.ts";
import type { ChecksumCodec } from "../driver/checksum.ts";
import { type Entry, type EntryContent, parseEntry } from "./entry.ts";
import type { Level, Levels } from "./levels.ts";
import { documentSegmentKey, type Segment } from "./segment.ts";

/** Limits of a batch. */
const MAX_ENTRIES = 200;
const MAX_CHARS = 512 * 1024;

interface Parts {
  readonly levels: Levels;
  /** Returns all entries of a segment. Undefined if it is damaged or missing. */
  readonly readAll: (segment: Segment) => Promise<readonly Entry[] | undefined>;
  readonly codec: ChecksumCodec;
  /** Begins behind this key. Null for all. */
  readonly after: string | null;
}

/** @throws StepwellError `unavailable` that names the document or segment that is damaged */
export async function* readInOrder(parts: Parts): AsyncGenerator<readonly EntryContent[], void> {
  const cursors = parts.levels.map((level) => createCursor(level, parts));
  let batch: EntryContent[] = [];
  let size = 0;
  for (;;) {
    const heads = await Promise.all(cursors.map((cursor) => cursor.head()));
    // The newest entry of a key counts, and that of the newest level comes first.
    const next = heads.reduce(
      (first, entry) => (entry !== null && (first === null || entry.key < first.key) ? entry : first),
      null,
    );
    if (next === null) break;
    for (const [at, entry] of heads.entries()) if (entry?.key === next.key) cursors[at]?.advance();
    const content = parseEntry(parts.codec, next.line);
    if (content?.key !== next.key) throw damaged(next.key, "The document");
    batch.push(content);
    size += next.line.length;
    if (batch.length < MAX_ENTRIES && size < MAX_CHARS) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Goes through the entries of a level. */
function createCursor(level: Level, { readAll, after }: Parts) {
  const segments = level.filter(({ last }) => after === null || last > after);
  let entries: readonly Entry[] = [];
  let segment = 0;
  let at = 0;

  async function readNext(next: Segment): Promise<void> {
    const found = await readAll(next);
    if (found === undefined) throw damaged(documentSegmentKey(next.name), "A segment of documents");
    entries = after === null ? found : found.filter(({ key }) => key > after);
    at = 0;
  }

  return {
    /** The current entry, or null at the end. */
    async head(): Promise<Entry | null> {
      for (;;) {
        const entry = entries[at];
        if (entry !== undefined) return entry;
        const next = segments[segment++];
        if (next === undefined) return null;
        await readNext(next);
      }
    },
    advance(): void {
      at++;
    },
  };
}
