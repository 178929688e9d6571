/** Requests of tus 1.0.0 as they are, without a client that knows better. */
import { createHash } from "node:crypto";
import type { Service } from "./service.ts";
import { streamOf } from "./service.ts";

type Body = Uint8Array | ReadableStream<Uint8Array>;

export interface TusRequest {
  readonly headers?: Record<string, string>;
  readonly body?: Body;
}

/** Sends a request with Tus-Resumable; an empty header is left out. */
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

/** How many bytes the server says it has. */
export async function offsetOf(service: Pick<Service, "fetch">, url: string): Promise<number> {
  const response = await tus(service, "HEAD", url);
  return Number(response.headers.get("upload-offset") ?? Number.NaN);
}

/** Creates an upload; gives where it goes on. */
export async function begun(service: Pick<Service, "fetch">, url: string, length: number): Promise<string> {
  const response = await create(service, url, { "upload-length": String(length) });
  return response.headers.get("location") ?? "";
}

/** The same bytes for the same numbers, and no two stretches alike. */
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

/** A body that breaks off behind its pieces. */
export function cut(...pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  return streamOf(
    (function* () {
      yield* pieces;
      throw new Error("the line was cut");
    })(),
  );
}

/** A body that stays open behind its pieces: the line is dead, and the server does not know. */
export function dead(...pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  return dying(...pieces).body;
}

/** The same, telling when all pieces were taken and more is asked for. */
export function dying(...pieces: Uint8Array[]) {
  const rest = [...pieces];
  let tell = () => {};
  const taken = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = rest.shift();
        if (next !== undefined) return controller.enqueue(next);
        tell();
        return new Promise(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken };
}
