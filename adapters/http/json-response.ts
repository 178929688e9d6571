/** Responses of JSON in Node.js, without the cost of a stream that nobody reads. */
import type { CreateResponse } from "../../src/http/response.ts";

/** Bun, Deno and workerd have the versions of Node.js, too (those of workerd are empty), but read responses natively. */
const IS_NODE = typeof process !== "undefined" && isNode(process.versions);

function isNode({ undici = "", bun, deno }: Readonly<Record<string, string | undefined>>): boolean {
  return undici !== "" && bun === undefined && deno === undefined;
}

/**
 * A response whose text becomes a stream of bytes only if something reads more than the text. For the runtime itself, its
 * body is empty: only Node.js, whose servers are written in JavaScript, reads responses by these members.
 */
class JsonResponse extends Response {
  readonly #json: string;
  /** A response with a stream, once something needs one. */
  #streamed: Response | undefined;
  #isRead = false;

  /** @param json As `JSON.stringify` returns it: decoding its bytes gives the same text. */
  constructor(json: string, init: ResponseInit) {
    super(null, init);
    this.#json = json;
  }

  override get body() {
    return this.#stream().body;
  }

  override get bodyUsed() {
    return this.#isRead || this.#streamed?.bodyUsed === true;
  }

  override async text() {
    return this.#read() ?? this.#stream().text();
  }

  override async json() {
    const json = this.#read();
    return json === undefined ? this.#stream().json() : JSON.parse(json);
  }

  override arrayBuffer() {
    return this.#stream().arrayBuffer();
  }

  override blob() {
    return this.#stream().blob();
  }

  /** Node.js 20 has no method for bytes. */
  override async bytes() {
    return new Uint8Array(await this.arrayBuffer());
  }

  override formData() {
    return this.#stream().formData();
  }

  override clone() {
    return new Response(this.#stream().clone().body, this);
  }

  /** The text; undefined if something has read it, or the stream. */
  #read(): string | undefined {
    if (this.#isRead || this.#streamed !== undefined) return undefined;
    this.#isRead = true;
    return this.#json;
  }

  #stream(): Response {
    if (this.#streamed === undefined) {
      this.#streamed = new Response(this.#json, this);
      if (this.#isRead) void this.#streamed.text(); // reads it up
    }
    return this.#streamed;
  }
}

export const createResponse: CreateResponse = (body, head) => {
  const isJson = typeof body === "string" && head.headers["content-type"] === "application/json";
  return isJson && IS_NODE ? new JsonResponse(body, head) : new Response(body, head);
};
