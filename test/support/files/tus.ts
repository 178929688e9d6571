/** Raw requests of tus 1.0.0, without a client library. */
import { createHash } from "node:crypto";
import type { Service } from "./service.ts";
import { streamOf } from "./service.ts";

type Body = Uint8Array | ReadableStream<Uint8Array>;

export interface TusRequest {
  readonly headers?: Record<string, string>;
  readonly body?: Body;
}

/** Sends a request with Tus-Resumable; empty headers are omitted. */
export function tus(
  { fetch }: Pick<Service, "fetch">,
  method: string,
  url: string,
  { headers = {}, body }: TusRequest = {},
) {
  const all = Object.entries({ "tus-resumable": "1.0.0", ...headers }).filter(([, value]) => value !== "");
  const init: RequestInit & { duplex: "half" } = { method, headers: Object.fromEntries(all), duplex: "half" };
  return fetch(new Request(url, body === undefined ? init : { ...init, body: body as BodyInit }));
}

export const create = (service: Pick<Service, "fetch">, url: string, headers: Record<string, string> = {}) =>
  tus(service, "POST", url, { headers });

export const patch = (
  service: Pick<Service, "fetch">,
  url: string,
  offset: number,
  body: Body,
  headers: Record<string, string> = {},
) =>
  tus(service, "PATCH", url, {
    headers: { "content-type": "application/offset+octet-stream", "upload-offset": String(offset), ...headers },
    body,
  });

/** The Upload-Offset that the server reports. */
export async function offsetOf(service: Pick<Service, "fetch">, url: string): Promise<number> {
  const response = await tus(service, "HEAD", url);
  return Number(response.headers.get("upload-offset") ?? Number.NaN);
}

/** Creates an upload; returns its Location. */
export async function begun(service: Pick<Service, "fetch">, url: string, length: number): Promise<string> {
  const response = await create(service, url, { "upload-length": String(length) });
  return response.headers.get("location") ?? "";
}

/** Deterministic bytes without repeating sections. */
export function content(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed * 2_654_435_761;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A body that fails after its pieces. */
export function cut(...pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  return streamOf(
    (function* () {
      yield* pieces;
      throw new Error("the connection was lost");
    })(),
  );
}

/** A body that stays open after its pieces, like a dead connection that the server doesn't notice. */
export function dead(...pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  return dying(...pieces).body;
}

/** The same, with a promise that resolves when all pieces were read. */
export function dying(...pieces: Uint8Array[]) {
  const rest = [...pieces];
  let onTaken = () => {};
  const taken = new Promise<void>((resolve) => {
    onTaken = resolve;
  });
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = rest.shift();
        if (next !== undefined) return controller.enqueue(next);
        onTaken();
        return new Promise(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken };
}
