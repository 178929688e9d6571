/** Downloads the bytes of a file, and continues after a lost connection: bytes of a file never change. */
import { StepwellError } from "../errors.ts";
import type { File } from "../files/file.ts";
import { type Connection, reasonOf } from "./connection.ts";
import { unexpected } from "./response-body.ts";
import { ROUTES } from "./routes.ts";
import { fillPath, rowOf } from "./table-row.ts";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

export function createDownload(connection: Connection) {
  const { method, path: template } = rowOf(ROUTES.files, "download");

  /** Sends nothing before the stream is read. */
  return (appId: string, file: Pick<File, "id" | "sha256">, start: number, end: number): ReadableStream<Uint8Array> => {
    const path = fillPath(template, [appId, file.id]);
    const stopped = new AbortController();
    let offset = start;
    let reader: Reader | null = null;
    let failures = 0;

    const read = (response: Response): Reader => {
      if (response.status !== 206 || response.body === null) throw unexpected(response, "a range of a file");
      return response.body.getReader();
    };

    /** The next bytes, or why there are none. */
    async function next(): Promise<Uint8Array | StepwellError> {
      const headers = { accept: "*/*", range: `bytes=${offset}-${end - 1}`, "if-match": `"${file.sha256}"` };
      const outgoing = { method, path, headers, signal: stopped.signal };
      const opened = reader ?? (await connection.attempt(outgoing, read));
      if (opened instanceof StepwellError) return opened;
      reader = opened;
      try {
        const { done, value } = await reader.read();
        if (!done) return value;
        throw new Error(`it ended ${end - offset} bytes early`);
      } catch (cause) {
        connection.signal?.throwIfAborted();
        return new StepwellError("unavailable", `The download broke: ${reasonOf(cause)}.`, { cause });
      }
    }

    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          while (offset < end) {
            const found = await next();
            if (found instanceof Uint8Array) {
              failures = 0;
              const bytes = found.subarray(0, end - offset);
              offset += bytes.length;
              if (bytes.length > 0) return controller.enqueue(bytes);
              continue;
            }
            reader = null;
            await connection.pause(++failures, found, stopped.signal);
          }
          controller.close();
        },
        cancel() {
          stopped.abort();
        },
      },
      { highWaterMark: 0 },
    );
  };
}
