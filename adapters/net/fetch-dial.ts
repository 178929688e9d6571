/**
 * Connects through `fetch`, where connections cannot be pinned to an address: takes the place of `node-dial.ts` in
 * Cloudflare Workers (condition `workerd`).
 */
import type { Dial, StreamedBody } from "../../src/ports/dial.ts";

/** An address, not a name. `URL` writes every form of an IPv4 address like this. */
const ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/**
 * Checks addresses in URLs. What a name resolves to is not known here; the runtime connects only to public addresses, and
 * to the machine of the developer in local development.
 */
export function createDial(): Dial {
  return async ({ url, method, headers, body, signal, permitted }) => {
    if (ADDRESS.test(url.hostname)) permitted([url.hostname.replace(/^\[|\]$/g, "")]);
    const init: RequestInit & { duplex?: "half" } = { method, headers, signal, redirect: "manual" };
    if (body instanceof Uint8Array) init.body = body.slice();
    else if (body !== undefined) Object.assign(init, { body: streamOf(body), duplex: "half" });
    const answer = await fetch(url, init);
    const answered = new Headers(answer.headers);
    answered.delete("content-encoding"); // already decompressed
    return { status: answer.status, headers: answered, body: answer.body ?? new Blob([]).stream() };
  };
}

function streamOf({ open }: StreamedBody): ReadableStream<Uint8Array> {
  let pieces: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream({
    async pull(controller) {
      pieces ??= open()[Symbol.asyncIterator]();
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces?.return?.();
    },
  });
}
