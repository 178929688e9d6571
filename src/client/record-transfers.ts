/** Imports and exports records over HTTP. */
import type { RecordsApi } from "../api/api.ts";
import { StepwellError } from "../errors.ts";
import type { Job } from "../jobs/job.ts";
import { unlessAborted } from "../time/unless-aborted.ts";
import { anySignal } from "./backoff.ts";
import { type Connection, reasonOf, wrongField } from "./connection.ts";
import { queryText } from "./query.ts";
import { readJson } from "./response-body.ts";
import { ROUTES } from "./routes.ts";
import { keyHeader } from "./table-functions.ts";
import { fillPath, rowOf } from "./table-row.ts";

/** What the server accepts. */
const MAX_IMPORT_BYTES = 100 * 1024 * 1024;

export function createRecordTransfers(connection: Connection): Pick<RecordsApi, "import" | "export"> {
  return {
    async import(appId, collectionId, body, { format = "csv", charset, signal, ...query } = {}) {
      const { method, path } = rowOf(ROUTES.records, "import");
      if (typeof body === "string" && charset !== undefined) {
        throw wrongField("/charset", "Only bytes have a charset. Omit it for a string.");
      }
      const target = fillPath(path, [appId, collectionId]) + queryText(query);
      // A stream is read first: not every browser can send one, and a broken request could not be repeated.
      const aborting = anySignal(connection.signal, signal);
      const isWhole = typeof body === "string" || body instanceof Uint8Array;
      const bytes = isWhole ? body : await unlessAborted(collect(body, aborting), aborting);
      const type = format === "csv" ? "text/csv" : `application/${format}`;
      const headers = {
        ...keyHeader(connection.idempotencyKey),
        "content-type": charset === undefined ? type : `${type}; charset=${charset}`,
      };
      const outgoing = { method, path: target, headers, body: bytes, signal, isRepeatable: true, timeoutMs: Infinity };
      const read = (response: Response) => readJson(response, connection.maxResponseBytes) as Promise<Job>; // by the route
      return connection.exchange(outgoing, read);
    },

    async export(appId, collectionId, { signal, ...query } = {}) {
      const { method, path } = rowOf(ROUTES.records, "export");
      const target = fillPath(path, [appId, collectionId]) + queryText(query);
      return connection.exchange({ method, path: target, signal, headers: { accept: "*/*" } }, ({ body }) =>
        withReasons(body ?? new Blob().stream(), connection, signal),
      );
    },
  };
}

/** @throws StepwellError `too_large` for more than the server accepts */
async function collect(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<Blob> {
  // Loaded here: most pages send no stream.
  const { bytesOf } = await import("./file-functions.ts");
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const bytes of bytesOf(body)) {
    signal?.throwIfAborted();
    size += bytes.length;
    if (size > MAX_IMPORT_BYTES) {
      throw new StepwellError("too_large", `The import exceeds the limit of ${MAX_IMPORT_BYTES} bytes.`);
    }
    pieces.push(Uint8Array.from(bytes));
  }
  return new Blob(pieces);
}

/** The same bytes. If the connection breaks, the stream fails with a StepwellError; after an abort, with its reason. */
function withReasons(
  body: ReadableStream<Uint8Array>,
  connection: Connection,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          signal?.throwIfAborted();
          connection.signal?.throwIfAborted();
          throw new StepwellError("unavailable", `The export broke: ${reasonOf(cause)}. Start it again.`, { cause });
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
