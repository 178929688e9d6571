/** The options of `createStepwell`. */
import type { AnyTriggerType } from "../collections/triggers/trigger-type.ts";
import type { CorsOptions } from "../http/cors.ts";
import type { Browser } from "../ports/browser.ts";
import type { Clock } from "../ports/clock.ts";
import type { Driver } from "../ports/driver.ts";
import type { Extractor } from "../ports/extractor.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { LanguageModelProvider } from "../ports/models.ts";
import type { Sandbox, SandboxLimits } from "../ports/sandbox.ts";
import type { WebSearch } from "../ports/web-search.ts";
import type { Telemetry } from "../runs/telemetry.ts";
import type { AnyService } from "../services/service.ts";

/**
 * The options of `createStepwell`. All are optional. `createStepwell` throws a StepwellError `invalid` that names each
 * unknown or invalid option.
 */
export interface Options<
  Services extends readonly AnyService[] = readonly AnyService[],
  Triggers extends readonly AnyTriggerType[] = readonly AnyTriggerType[],
> {
  /**
   * The public URL of the service: `http:` or `https:`, without query and fragment. `upload_url`, the `url` of links and webhooks, and the header `Location`
   * start with it, and its path is the mount path. The Host header of requests is never used.
   * @default "http://localhost:3000"
   */
  readonly baseUrl?: string | undefined;
  /**
   * Where data is stored.
   * @default memory: everything is lost when the process ends
   */
  readonly storage?: StorageOptions;
  /**
   * The bearer token for `/apps` and `/apps/{app_id}/keys` over HTTP: visible ASCII characters without spaces. Use a long
   * random string.
   * @default none: these routes reject every request
   */
  readonly adminKey?: string | undefined;
  /**
   * The key that encrypts credentials of connections and secrets of webhooks: at least 32 characters, such as the output
   * of `openssl rand -base64 32`. To rotate it, pass a list: the first entry encrypts, all of them decrypt. If you lose
   * it, stored credentials are unrecoverable; everything else keeps working.
   * @default none: creating a connection or a webhook signature fails with `not_configured`
   */
  readonly secret?: string | readonly [string, ...string[]] | undefined;
  /** Addresses that HTTP steps, uploads from a URL and browser steps may reach. @default public addresses only */
  readonly net?: NetOptions;
  /** Origins whose web pages may call the HTTP API. @default none */
  readonly cors?: CorsOptions;
  /** Limits on sizes, times and numbers of runs. Each has its own default. */
  readonly limits?: Partial<Omit<Limits, "code">> & {
    /** Limits of one code step. Each has its own default. */
    readonly code?: Partial<SandboxLimits>;
  };
  /** Services that service steps can call, each created with `defineService`. @default only the built-in services */
  readonly services?: Services;
  /**
   * Trigger types of collections besides the built-in `loan_origination`, `webhook` and `poll`, each created with `defineTrigger`.
   * @default only the built-in types
   */
  readonly triggers?: Triggers;
  /**
   * Providers of the AI SDK for model steps, by the name that steps use. The package `ai` is loaded with the first model
   * step; deploying one fails while it is not installed.
   * @default none: a step that names a provider cannot be deployed
   *
   * @example
   * ```ts
   * models: { openai: createOpenAI({ apiKey }), local: createOpenAICompatible({ name: "local", baseURL }) }
   * ```
   */
  readonly models?: Readonly<Record<string, LanguageModelProvider>>;
  /**
   * The provider of the `web_search` service: `searxng({ url })`, `brave({ key })` or `tavily({ key })` of
   * `stepwell/search`.
   * @default none: deploying a step that calls it fails
   */
  readonly webSearch?: WebSearch;
  /** Executes code steps. `close` of the service closes it. @default QuickJS in WebAssembly, loaded when first needed */
  readonly sandbox?: Sandbox;
  /**
   * Renders pages for `browser` steps: `createPlaywrightBrowser()` of `stepwell/playwright`. It opens its own connections,
   * which `net` restricts as well. `close` of the service closes it.
   * @default none: pages are fetched without executing scripts, and deploying a step that waits for a selector fails
   */
  readonly browser?: Browser;
  /**
   * Reads documents for `extract_contents`, `extract_images` and `strip_html`. `close` of the service closes it.
   * @default `createExtractor()` of `stepwell/extract`, loaded when first needed
   */
  readonly extractor?: Extractor;
  /**
   * Fetches every URL that users supply, instead of the built-in fetch. Your implementation then decides what can be
   * reached, and `net` does not apply to it. For tests, and for hosts with an egress proxy.
   * @default a fetch that checks every address against `net`
   */
  readonly fetch?: GuardedFetch;
  /** Called with every run that has ended. `stepwell/telemetry/opentelemetry` turns runs into spans. @default none */
  readonly telemetry?: Telemetry;
  /** Receives log messages with their fields. @default warnings and errors go to the console */
  readonly logger?: Logger;
  /** Time and timers. For tests: `createTestClock()` of `stepwell/testing`. @default the clock of the machine */
  readonly clock?: Clock;
  /**
   * Generates ids and secrets. For tests and simulations that must repeat. Anyone who can predict the values can predict API
   * keys.
   * @default ids that sort by time and cannot be guessed
   */
  readonly ids?: Ids;
}

/** Storage drivers. Any driver of unstorage works. */
export interface StorageOptions {
  /**
   * Driver for documents: everything except the bytes of files. Only one process can use it at a time; a second one
   * fails its calls with `unavailable`, and tries again until the first has closed.
   * @default memory
   */
  readonly entities?: Driver;
  /**
   * Driver for the bytes of files. `close` disposes of it.
   * @default the driver of `entities`
   */
  readonly blobs?: Driver;
  /**
   * Number of records in the write-ahead log that triggers a checkpoint, at least 1. A higher number means fewer writes but
   * a slower start.
   * @default 4,000 if the driver can append to an item, otherwise 1,000
   */
  readonly checkpointRecords?: number;
}

/** Outgoing network access. */
export interface NetOptions {
  /**
   * Private hosts, IP addresses or CIDR ranges that may be reached, each with or without a port: `127.0.0.1:8080`,
   * `10.0.0.0/8`, `intranet.local`.
   * @default none
   */
  readonly allow?: readonly string[];
}

/** Limits on sizes, times and numbers of runs. Each is a whole number; a default of `Infinity` means no limit. */
export interface Limits {
  /**
   * Bytes of a JSON body, at most 256 MiB. Stepwell rejects larger ones with `too_large`.
   * @default 1,048,576 (1 MiB)
   */
  readonly bodyBytes: number;
  /**
   * Milliseconds in which the next KiB of a request body, or its end, must arrive, at most 24 hours. Stepwell rejects slower
   * requests with `request_timeout`. Your server may also limit the time of a whole request: `server.requestTimeout` of
   * Node.js is 5 minutes, too short for large files on slow connections.
   * @default 60,000
   */
  readonly bodyIdleMs: number;
  /** Bytes of an uploaded file. Stepwell rejects larger ones with `too_large`. @default 5,368,709,120 (5 GiB) */
  readonly fileBytes: number;
  /**
   * Runs that execute at the same time; others are queued. Runs that only wait don't count. Neither does an action that
   * ignores its `signal` after its run was canceled or its step timed out. Each of the 16 levels of child runs has the
   * same number of slots, so no child waits for a slot that its parents hold. The rules of a record that a step writes count one
   * level below the run of that step.
   * @default 100
   */
  readonly concurrentRuns: number;
  /** Of these, runs of one app, per level. @default Infinity: only `concurrentRuns` applies */
  readonly concurrentRunsPerApp: number;
  /** Of these, runs of one workflow, per level. @default Infinity: only `concurrentRuns` applies */
  readonly concurrentRunsPerWorkflow: number;
  /**
   * Runs in the queue. Stepwell rejects further ones with `too_many_requests`, except child runs and runs that need no slot
   * yet: those that end at once, and those whose first steps all wait. These queue when they can continue. 0 for no queue.
   * @default 10,000
   */
  readonly queuedRuns: number;
  /**
   * Child runs below one run that are executed at once, on each level. The others are queued; those that wait don't count.
   * @default 100
   */
  readonly childRuns: number;
  /**
   * Runs below one run since its start, on all levels: child runs, and runs of rules for records that steps write. A step
   * that would start another one fails with `descendant_limit`; of a rule, the result is `ERROR` with this code. Runs deleted after `runRetentionMs` no longer count.
   * @default 100,000, so that `for_each` can start a child run for each of 10,000 items
   */
  readonly descendantRuns: number;
  /**
   * Milliseconds from the start of a run to its end, including waits and downtime, but not time in the queue or waiting for
   * files before the start. A slower run fails with `run_timeout`; a retry restarts the time. Each step also has its own
   * timeout.
   * @default Infinity: only you know how long a person may take to respond
   */
  readonly runTimeoutMs: number;
  /** Milliseconds from the end of a run until it is deleted, to within an hour. @default Infinity: runs are kept */
  readonly runRetentionMs: number;
  /**
   * Milliseconds for one response of a model, at most 24 hours. A step that calls tools requests several.
   * @default 600,000 (10 minutes)
   */
  readonly modelTimeoutMs: number;
  /**
   * Limits of one code step.
   * @default `memoryBytes` 64 MiB, `timeoutMs` 5,000, `stackBytes` 1 MiB, `outputCharacters` 10,485,760
   */
  readonly code: SandboxLimits;
}
