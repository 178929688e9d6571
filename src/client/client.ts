/** The client as its callers see it: its options, and its functions. */
import type { FileCreate, FileFromUrl, FilesApi } from "../api/api.ts";
import type { Me } from "../apps/me.ts";
import type { Stepwell } from "../create.ts";
import type { File } from "../files/file.ts";
import type { Content } from "../uploads/uploads.ts";

/** Options of {@link createClient}. */
export interface ClientOptions {
  /**
   * The URL at which the server mounts Stepwell, such as `https://example.com/automation`. In a browser, it may be a
   * path, such as `/automation`. It has no query and no fragment.
   */
  readonly url: string;
  /**
   * The API key: that of an app, or the admin key for `apps` and `keys`, of printable ASCII characters. A function is
   * called for each request, so that you can rotate the key; its time counts in `timeoutMs`. The client sends the key only
   * to `url`, and follows no redirects.
   * @default no key: only PUBLIC resources, upload URLs and links
   */
  readonly key?: string | (() => string | Promise<string>);
  /**
   * Headers of every request to `url`. They may also replace the client's own headers. A function is called once for each
   * call, whose repeats have the same headers.
   * @default none
   */
  readonly headers?: GivenHeaders | (() => GivenHeaders);
  /** Sends requests, such as through a proxy or with a certificate. @default globalThis.fetch */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * How often a request is repeated after a transient error. A stream of events and an upload count errors anew after
   * each progress; a stream that ends at once, without an event, is an error, too. The delays grow from a quarter of a
   * second to 10 seconds, or are what `Retry-After` says, up to a minute.
   *
   * Repeated are GET, PUT and DELETE after lost connections, timeouts and the statuses 408, 502, 503 and 504; POST too
   * where Stepwell accepts an `Idempotency-Key`, which the client then creates; and any request after 425 and 429. If a
   * repeated DELETE finds nothing, it has succeeded.
   * @default 4
   */
  readonly retries?: number;
  /**
   * Milliseconds for each attempt, including the response, except for streams and the bytes of files. Calls that wait
   * get as much in addition as they wait. At most 2,147,483,647 (24 days), or `Infinity` for no limit.
   * @default 60_000
   */
  readonly timeoutMs?: number;
  /**
   * Maximum bytes of a response, and of an event. A larger one rejects with `too_large`. Does not apply to the bytes of
   * files and to `records.export`, which are streams.
   * @default 268_435_456 (256 MiB)
   */
  readonly maxResponseBytes?: number;
}

/** What `new Headers` takes. Its name is one of the DOM library, which projects of servers need not have. */
export type GivenHeaders = ConstructorParameters<typeof Headers>[0];

/** What {@link ClientFunctions.with} changes. */
export interface CallOptions {
  /** Aborts calls: they reject with the reason of the signal. What the server has begun continues there. */
  readonly signal?: AbortSignal;
  /** Headers in addition to those of the client, such as `Stepwell-User`, `If-Match` or `Prefer`. */
  readonly headers?: GivenHeaders;
  /**
   * Identifies a call, so that repeats of it in the next 24 hours take effect once: 1 to 255 printable ASCII characters.
   * Use the returned client for one call.
   * @default a random key for each call of a function that creates something
   */
  readonly idempotencyKey?: string;
  /** Another API key. */
  readonly key?: ClientOptions["key"];
}

/** How far an upload has come. */
export interface UploadProgress {
  /** Bytes that the server has stored. */
  readonly sent: number;
  /** Bytes of the file; null for a stream whose end has not been read. */
  readonly total: number | null;
}

/** What is sent of a file beside its bytes. */
export interface SendOptions {
  /** Called when the server has stored more bytes. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** The content of a file for `client.files.receive`. */
export interface SentContent extends Omit<Content, "body">, SendOptions {
  /** The bytes, a `Blob` or `File`, or a stream of bytes. */
  readonly body: Content["body"] | Blob;
  /**
   * Whether to continue an upload that began earlier, such as before a page was reloaded. It continues only if the name,
   * type and size are the same; you vouch for the bytes.
   * @default false: an upload begins anew
   */
  readonly resume?: boolean | undefined;
}

/** A new file, for `client.files.create`. */
export interface SentFile extends Omit<FileCreate, "body">, SendOptions {
  /** The bytes, a `Blob` or `File`, or a stream of bytes. */
  body: FileCreate["body"] | Blob;
  /** Aborts the call: the promise rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** `client.files`. Extracting text (`stepwell.files.text`) works in process only. */
export interface ClientFilesApi extends Omit<FilesApi, "text" | "receive" | "create"> {
  /**
   * Uploads the file of an upload URL. Needs no key. The bytes are sent in chunks: after a lost connection, the upload
   * continues with what the server has stored (tus 1.0.0). A failed upload doesn't use the URL up.
   * @param upload The `upload_url`. Requests to another origin than the client's have none of its headers.
   * @throws StepwellError `upload_used`; `upload_expired`; `too_large`; `unsupported_media_type` if the type of the
   * content is not allowed; `conflict` or `not_found` if another upload to the URL took over. Also rejects with an error
   * of the body, and with the reason of `signal`.
   * @example
   * ```ts
   * const onProgress = ({ sent, total }: UploadProgress) => console.log(sent, total);
   * await client.files.receive(upload_url, { name: "report.pdf", body: bytes, onProgress });
   * ```
   */
  receive(upload: string, content: SentContent): Promise<File>;
  /**
   * Creates a file of any type from bytes, from a stream, or from a URL that Stepwell fetches.
   * @param input `key` has 1 to 255 printable ASCII characters.
   * @throws StepwellError for a URL: `address_refused`; `fetch_failed` if the server does not respond with a file;
   * `too_large` above `limits.fileBytes`
   */
  create(appId: string, input: SentFile | FileFromUrl): Promise<File>;
}

/** What only a client has. */
export interface ClientFunctions<Host extends ApiGroups> {
  /** Files, upload URLs and links. */
  readonly files: ClientFilesApi;
  /** Returns the app and the key of the client, and what the host has configured. Needs the key of an app. */
  me(): Promise<Me>;
  /**
   * Returns the same functions with other options for each call.
   * @example
   * `await client.with({ signal: AbortSignal.timeout(5_000) }).runs.get(app.id, run.id)`
   */
  with(options: CallOptions): Client<Host>;
}

/** A host: its groups of functions, with whatever types its services and triggers give them. */
export type ApiGroups = { readonly [Group in keyof Api]: object };
type Api = import("../api/api.ts").Api;

/**
 * The functions of `stepwell.*` over HTTP, with the same names, arguments, results and errors.
 *
 * The client checks that bodies and queries are plain JSON, and the server the rest. `Host` is the type of the instance of the server:
 * `createClient<typeof stepwell>` checks service steps and triggers as the instance does.
 */
export type Client<Host extends ApiGroups = Stepwell> = Pick<Host, Exclude<keyof Api, "files">> & ClientFunctions<Host>;
