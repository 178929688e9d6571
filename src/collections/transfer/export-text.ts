/** The text of an export as a stream that reads records on demand. */
import type { RecordDocument } from "../records/record.ts";

/** The text of an export, as it is read. */
export interface ExportText {
  readonly texts: AsyncGenerator<string, void>;
  /** Call this once no more is read. */
  release(): void;
}

/** Records that match, with the position of the last one that was read. */
export type Chunks = AsyncGenerator<{ readonly records: readonly RecordDocument[]; readonly position: string }, void>;
/** Reads the records after a position; all of them without one. */
export type SelectRecords = (after: string | undefined) => Chunks;

/** Reads on demand. */
export function streamOf({ texts, release }: ExportText, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();

  async function next(): Promise<string | undefined> {
    try {
      signal?.throwIfAborted();
      const { done, value } = await texts.next();
      if (done !== true) return value;
    } catch (error) {
      release();
      throw error;
    }
    release();
    return undefined;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = await next();
        if (text === undefined) controller.close();
        else controller.enqueue(encoder.encode(text));
      },
      async cancel() {
        release();
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}
