/** Reads the body of a request: as a stream that must not stall, or as the text of JSON of limited size. */

import { concatBytes } from "../encoding/bytes.ts";
import { requireUncompressed } from "../encoding/content-coding.ts";
import { headerParameters } from "../encoding/header-parameters.ts";
import { isUtf8Type } from "../encoding/utf8.ts";
import { StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { createIdleTimer, MIN_PROGRESS_BYTES } from "../time/idle-timer.ts";

/**
 * Reads the body of a request. Leaving it early does not cancel it: the host disposes of the rest without cutting off the
 * response. Only the signal cancels it, even while no bytes arrive; the reader then throws the reason.
 * @throws StepwellError `malformed` if the connection closes early; `request_timeout` if the body arrives too slowly
 */
export type ReadBody = (request: Request, signal?: AbortSignal) => AsyncIterable<Uint8Array>;

/** @param idleMs Milliseconds in which {@link MIN_PROGRESS_BYTES} bytes or the end must arrive. */
export function createReadBody({ clock, idleMs }: { clock: Clock; idleMs: number }): ReadBody {
  return async function* ({ body, bodyUsed }, signal) {
    if (body === null) return;
    if (bodyUsed || body.locked) throw new Error(TAKEN);
    signal?.throwIfAborted();
    const reader = body.getReader();
    let ended: { readonly reason: unknown } | undefined;
    const end = (reason: unknown) => {
      ended ??= { reason };
      reader.cancel(reason).catch(() => undefined); // the reason is already known
    };
    const abort = () => end(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const idleTimer = createIdleTimer(clock, idleMs, () => end(bodyTooSlow(idleMs)));
    try {
      for (;;) {
        idleTimer.startWaiting();
        let next: ReadableStreamReadResult<Uint8Array>;
        try {
          next = await reader.read();
        } catch (cause) {
          throw new StepwellError("malformed", "The connection closed before the whole body arrived.", { cause });
        }
        if (ended !== undefined) throw ended.reason;
        if (next.done) return;
        idleTimer.receive(next.value.byteLength);
        yield next.value;
      }
    } finally {
      idleTimer.stop();
      signal?.removeEventListener("abort", abort);
    }
  };
}

const TAKEN =
  "The body of this request has been read, or is being read, by something else. Pass the request to stepwell.fetch before a body parser gets it, or pass request.clone().";

function bodyTooSlow(idleMs: number): StepwellError {
  const seconds = idleMs / 1_000;
  const message = `The body arrived too slowly: less than ${MIN_PROGRESS_BYTES} bytes within ${seconds} seconds. Send the request again.`;
  return new StepwellError("request_timeout", message, { headers: { connection: "close" } });
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/i;

/**
 * Reads the text of a JSON body; undefined without a body.
 * @throws StepwellError `too_large`; `unsupported_media_type` for anything but JSON in UTF-8; `malformed` for invalid
 * UTF-8 and a connection that closes early; `request_timeout` for a body that arrives too slowly
 */
export async function readJsonText(request: Request, readBody: ReadBody, limit: number): Promise<string | undefined> {
  if (request.body === null) return undefined;
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw bodyTooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const next of readBody(request)) {
    if (next.byteLength === 0) continue;
    if (size === 0) checkType(request.headers);
    size += next.byteLength;
    // Not canceled: the host disposes of the rest without cutting off the response.
    if (size > limit) throw bodyTooLarge(limit);
    chunks.push(next);
  }
  const [first] = chunks;
  return size === 0 ? undefined : text(chunks.length === 1 && first !== undefined ? first : concatBytes(chunks));
}

function checkType(headers: Headers): void {
  const type = headers.get("content-type");
  if (type === null || !isJson(type)) {
    const given = type === null ? "no Content-Type" : `the Content-Type ${JSON.stringify(type.slice(0, 100))}`;
    throw new StepwellError("unsupported_media_type", `The body has ${given}. Send application/json in UTF-8.`);
  }
  requireUncompressed(headers);
}

/** `application/json` or `+json`, in UTF-8, the only encoding of JSON (RFC 8259 §8.1). */
function isJson(type: string): boolean {
  const [essence = ""] = type.split(";", 1);
  const parameters = [...headerParameters(type).keys()];
  return JSON_TYPE.test(essence.trim()) && isUtf8Type(type) && parameters.every((name) => name === "charset");
}

function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes); // also removes a byte order mark
  } catch (cause) {
    throw new StepwellError("malformed", "The body is not valid UTF-8.", { cause });
  }
}

function bodyTooLarge(limit: number): StepwellError {
  return new StepwellError("too_large", `The body exceeds the limit of ${limit} bytes.`);
}
