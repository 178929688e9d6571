import { nextStepwell } from "stepwell/next";

let proceed = () => undefined;
let given = 0;

/** Shows what a handler sees of its clients. */
const probe = {
  /** Counts the bytes of its body, but not before another request says so. */
  async count(request) {
    await new Promise((resolve) => {
      proceed = resolve;
    });
    let size = 0;
    for await (const chunk of request.body) size += chunk.byteLength;
    return Response.json(size);
  },
  async proceed() {
    proceed();
    return Response.json(null);
  },
  /** Never responds. */
  hang({ signal }) {
    console.log("PROBE hangs");
    signal.addEventListener("abort", () => console.log("PROBE aborted"));
    return new Promise(() => undefined);
  },
  /** Responds with an endless stream. */
  async endless() {
    const body = new ReadableStream({
      pull(controller) {
        given += 1;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
      cancel: () => console.log("PROBE canceled"),
    });
    return new Response(body, { headers: { "content-type": "application/octet-stream" } });
  },
  /** How many MiB of the stream were read. */
  given: async () => Response.json(given),
  fail: () => Promise.reject(new Error("the reason")),
};

const { handlers } = nextStepwell(
  () => ({ fetch: (request) => probe[new URL(request.url).pathname.slice(1)](request), close: async () => undefined }),
  { name: "probe" },
);
export const { GET, POST } = handlers;
