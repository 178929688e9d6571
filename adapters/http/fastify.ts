/** Mounts Stepwell in Fastify 5. Needs no types of Fastify, so it adds no dependency. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Mounted, toNodeHandler } from "./node.ts";

/** Options of {@link stepwellFastify}. Fastify itself reads `prefix`, the mount path. */
export interface StepwellFastifyOptions {
  /** The instance from `createStepwell`. The path of its `baseUrl` must be the mount path. */
  readonly stepwell: Mounted & {
    /** Stores what is pending and releases the storage. */
    close(): Promise<void>;
  };
  /**
   * Whether `fastify.close()` also closes the instance, before Fastify waits for open requests. Closing the instance
   * ends its event streams; without it, `fastify.close()` waits until their clients disconnect.
   * @default false
   */
  readonly closeWithServer?: boolean;
}

/** What the plugin uses of a Fastify instance. */
export interface FastifyScope {
  /** Registers a route for every method. */
  all(path: string, handler: (request: FastifyCall, reply: FastifyAnswer) => void): unknown;
  /** Removes the parsers of this scope, and leaves those of other routes. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a parser for a content type. */
  addContentTypeParser(
    type: string,
    parser: (request: unknown, body: unknown, done: (error: Error | null) => void) => void,
  ): unknown;
  /** Adds a hook that runs when the server begins to close. */
  addHook(name: "preClose", hook: () => Promise<void>): unknown;
}

/** What the plugin uses of a request. */
export interface FastifyCall {
  /** The request of Node.js. */
  readonly raw: IncomingMessage;
  /** The logger of the request. */
  readonly log: {
    /** Logs an error. */
    error(details: object, message: string): void;
  };
}

/** What the plugin uses of a reply. */
export interface FastifyAnswer {
  /** The response of Node.js. */
  readonly raw: ServerResponse;
  /** The headers that hooks have set. */
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  /** Leaves the response to the caller. */
  hijack(): unknown;
}

/**
 * A Fastify 5 plugin that mounts Stepwell under its `prefix`.
 *
 * Streams requests and responses with backpressure. Fastify's body parsers don't run, so signed webhooks are verified
 * against the original bytes, and `bodyLimit` doesn't apply. The hooks `onRequest`, `preParsing`, `preValidation`,
 * `preHandler` and `onResponse` run as for other routes, and headers that they set are sent. The hooks `preSerialization`,
 * `onSend` and `onError` don't run.
 *
 * @throws TypeError at startup if the option `stepwell` is missing.
 * @example
 * ```ts
 * const stepwell = createStepwell({ baseUrl: "http://localhost:3000/automation" });
 * fastify.register(stepwellFastify, { prefix: "/automation", stepwell, closeWithServer: true });
 * ```
 */
export async function stepwellFastify(scope: FastifyScope, options: StepwellFastifyOptions): Promise<void> {
  const { stepwell, closeWithServer = false } = options;
  if (typeof stepwell?.fetch !== "function") {
    throw new TypeError("stepwellFastify needs an instance: register(stepwellFastify, { stepwell, prefix }).");
  }
  const handle = toNodeHandler(stepwell);

  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _body, done) => done(null)); // leaves the body to Stepwell
  scope.all("/*", (request, reply) => {
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.hijack();
    handle(request.raw, reply.raw, (error) => fail(request, reply.raw, error));
  });
  // Not onClose: Fastify runs it after the last response, and event streams end only when the instance closes.
  if (closeWithServer) scope.addHook("preClose", () => stepwell.close());
}

/** A hijacked reply has no error handler, so the error is logged, and its message stays in the server. */
function fail({ log }: FastifyCall, response: ServerResponse, error: unknown): void {
  log.error({ err: error }, "Stepwell could not handle the request");
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { "content-type": "text/plain" }).end("Internal Server Error");
}
