/** The options of `createStepwell`. */
import type { AnyTriggerType } from "../collections/triggers/trigger-type.ts";
import type { WebConsole } from "../console/web-console.ts";
import type { CorsOptions } from "../http/cors.ts";
import type { McpServer } from "../mcp/mcp-server.ts";
import type { Browser } from "../ports/browser.ts";
import type { Clock } from "../ports/clock.ts";
import type { ClusterAdapter } from "../ports/cluster.ts";
import type { Driver } from "../ports/driver.ts";
import type { Extractor } from "../ports/extractor.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { LanguageModelProvider } from "../ports/models.ts";
import type { Sandbox, SandboxLimits } from "../ports/sandbox.ts";
import type { StoreAdapter } from "../ports/store-adapter.ts";
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
   * The public URL of the service: `http:` or `https:`, without query and fragment. `upload_url`, the `url` of links
   * and webhooks, and the `Location` header start with it. Its path is the mount path. Stepwell never uses the Host
   * header of requests.
   * @default "http://localhost:3000"
   */
  readonly baseUrl?: string | undefined;
  /**
   * Where Stepwell stores data.
   * @default memory: data is lost when the process ends
   */
  readonly storage?: StorageOptions;
  /**
   * The bearer token for `/apps` and `/apps/{app_id}/keys` over HTTP: a long random string of visible ASCII characters
   * without spaces.
   * @default none: these routes reject every request
   */
  readonly adminKey?: string | undefined;
  /**
   * The key that encrypts credentials of connections and secrets of webhooks: at least 32 characters, such as the
   * output of `openssl rand -base64 32`. To rotate it, pass a list: the first entry encrypts, all of them decrypt. If
   * you lose it, stored credentials are unrecoverable; everything else keeps working.
   * @default none: creating a connection or a webhook signature fails with `not_configured`
   */
  readonly secret?: string | readonly [string, ...string[]] | undefined;
  /** Addresses that HTTP steps, uploads from a URL and browser steps may reach. @default public addresses only */
  readonly net?: NetOptions;
  /** Origins whose web pages may call the HTTP API. @default none */
  readonly cors?: CorsOptions;
  /**
   * Shares the work with other processes: `bullmq({ connection })` of `stepwell/cluster`. All processes need the same
   * store, `storage.blobs`, `secret`, services and triggers. Any of them serves requests; runs execute in those with
   * `work: true`.
   * @default none: only this process uses the storage
   */
  readonly cluster?: ClusterAdapter | undefined;
  /** Limits on sizes, times and numbers of runs. Each has its own default. */
  readonly limits?: Some<Omit<Limits, "code">> & {
    /** Limits of one code step. Each has its own default. */
    readonly code?: Some<SandboxLimits>;
  };
  /** Services that service steps can call, each created with `defineService`. @default only the built-in services */
  readonly services?: Services;
  /**
   * Trigger types of collections besides the built-in `loan_origination`, `webhook` and `poll`, each created with
   * `defineTrigger`.
   * @default only the built-in types
   */
  readonly triggers?: Triggers;
  /**
   * AI SDK providers for model steps, by the name that steps use. Stepwell loads the package `ai` with the first model
   * step; until the package is installed, deploying a model step fails.
   * @default none: deploying a step that names a provider fails
   *
   * @example
   * ```ts
   * models: { openai: createOpenAI({ apiKey }), local: createOpenAICompatible({ name: "local", baseURL }) }
   * ```
   */
  readonly models?: Readonly<Record<string, LanguageModelProvider>>;
  /**
   * The provider of the `web_search` service: `searxng({ url })`, `brave({ key })` or `tavily({ key })` from
   * `stepwell/search`.
   * @default none: deploying a step that calls `web_search` fails
   */
  readonly webSearch?: WebSearch;
  /** Executes code steps. `stepwell.close()` closes it. @default QuickJS in WebAssembly, loaded on first use */
  readonly sandbox?: Sandbox;
  /**
   * Renders pages for `browser` steps: `createPlaywrightBrowser()` from `stepwell/playwright`. It opens its own
   * connections, which `net` also restricts. `stepwell.close()` closes it.
   * @default none: pages are fetched without executing scripts, and deploying a step with `wait_for_selector` fails
   */
  readonly browser?: Browser;
  /**
   * Reads documents for `extract_contents`, `extract_images` and `strip_html`. `stepwell.close()` closes it.
   * @default `createExtractor()` from `stepwell/extract`, loaded on first use
   */
  readonly extractor?: Extractor;
  /**
   * Replaces the built-in fetch for all user-supplied URLs, for tests and hosts with an egress proxy. Your
   * implementation must restrict what can be reached: `net` does not apply to it.
   * @default a fetch that checks every address against `net`
   */
  readonly fetch?: GuardedFetch;
  /**
   * Serves deployed workflows as tools to agents, at `/apps/{app_id}/mcp`: `createMcpServer()` from `stepwell/mcp`.
   * `stepwell.close()` closes it.
   * @default none: these addresses respond with `not_configured`
   */
  readonly mcp?: McpServer;
  /**
   * Serves the web console at `/console/`: `webConsole()` from `stepwell/console`.
   * @default none: these addresses respond with `not_found`
   */
  readonly console?: WebConsole | undefined;
  /** Receives every run that has ended. `stepwell/telemetry/opentelemetry` exports runs as spans. @default none */
  readonly telemetry?: Telemetry;
  /** Receives log messages with their fields. @default warnings and errors go to the console */
  readonly logger?: Logger;
  /** Time and timers. For tests: `createTestClock()` from `stepwell/testing`. @default the system clock */
  readonly clock?: Clock;
  /**
   * Generates ids and secrets. Replace it only in reproducible tests and simulations: anyone who can predict its values
   * can predict API keys.
   * @default ids that sort by time and cannot be guessed
   */
  readonly ids?: Ids;
}

/** Some of the fields. */
type Some<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** Where a service stores its data. Any driver of unstorage works. */
export interface StorageOptions {
  /**
   * Driver or store for documents: everything except the bytes of files. Without the option `cluster`, only one process
   * can use it at a time. Calls in a second process fail with `unavailable` until the first process closes; the second
   * one keeps retrying.
   * @default memory
   */
  readonly entities?: Driver | StoreAdapter;
  /**
   * Driver for the bytes of files. `stepwell.close()` disposes of it.
   * @default the driver of `entities`. A store has its own default; see there.
   */
  readonly blobs?: Driver;
  /**
   * Number of records in the write-ahead log that triggers a checkpoint, at least 1. A higher number means fewer writes
   * but a slower start.
   * @default 4,000 if the driver can append to an item, otherwise 1,000
   */
  readonly checkpointRecords?: number;
}

/** Outgoing network access. */
export interface NetOptions {
  /**
   * Private hosts, IP addresses and CIDR ranges that Stepwell may connect to, each with or without a port:
   * `127.0.0.1:8080`, `10.0.0.0/8`, `intranet.local`.
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
   * Milliseconds within which the next KiB of a request body, or its end, must arrive, at most 24 hours. Stepwell
   * rejects slower requests with `request_timeout`. Your server may also limit the time of a whole request: the
   * `server.requestTimeout` of Node.js is 5 minutes by default, too short for large files on slow connections.
   * @default 60,000
   */
  readonly bodyIdleMs: number;
  /** Bytes of an uploaded file. Stepwell rejects larger ones with `too_large`. @default 5,368,709,120 (5 GiB) */
  readonly fileBytes: number;
  /**
   * Maximum runs that execute at the same time; further runs are queued. Runs in which every open step waits don't
   * count. Neither does an action that ignores its `signal` after its run was canceled or its step timed out. Each of
   * the 16 levels of child runs has this number of slots, so a child never waits for a slot that its parents hold. Rule
   * runs for a record that a step writes count one level below the run of that step. With `cluster`, it is the limit of each
   * process.
   * @default 100
   */
  readonly concurrentRuns: number;
  /**
   * Maximum runs of one app within `concurrentRuns`, per level. With `cluster`, all processes count together.
   * @default Infinity: only `concurrentRuns` applies
   */
  readonly concurrentRunsPerApp: number;
  /**
   * Maximum runs of one workflow within `concurrentRuns`, per level. With `cluster`, all processes count together.
   * @default Infinity: only `concurrentRuns` applies
   */
  readonly concurrentRunsPerWorkflow: number;
  /**
   * Maximum runs in the queue; 0 for no queue. Stepwell rejects further runs with `too_many_requests`, except child
   * runs and runs that need no slot yet: those that end immediately, and those whose first steps all wait. The latter
   * join the queue when they can continue. With `cluster`, the queue is that of all processes, counted every three
   * seconds.
   * @default 10,000
   */
  readonly queuedRuns: number;
  /**
   * Maximum child runs below one run that execute at the same time, per level. Further ones are queued; waiting ones
   * don't count. With `cluster`, it is the limit of each process.
   * @default 100
   */
  readonly childRuns: number;
  /**
   * Maximum runs below one run since its start, on all levels: child runs, and rule runs for records that steps write.
   * A step that would start another one fails with `descendant_limit`; a rule gets the result `ERROR` with this code.
   * Runs deleted after `runRetentionMs` no longer count.
   * @default 100,000, so that `for_each` can start a child run for each of 10,000 items
   */
  readonly descendantRuns: number;
  /**
   * Milliseconds from the start of a run to its end, including waits and downtime, but not time in the queue or waiting
   * for files before the start. A slower run fails with `run_timeout`; a retry restarts the timer. Each step also has
   * its own timeout.
   * @default Infinity
   */
  readonly runTimeoutMs: number;
  /**
   * Milliseconds from the end of a run until Stepwell deletes it, within the next hour.
   * @default Infinity: runs are kept
   */
  readonly runRetentionMs: number;
  /**
   * Timeout of one model response in milliseconds, at most 24 hours. A step that calls tools requests several
   * responses.
   * @default 600,000 (10 minutes)
   */
  readonly modelTimeoutMs: number;
  /**
   * Limits of one code step.
   * @default `memoryBytes` 64 MiB, `timeoutMs` 5,000, `stackBytes` 1 MiB, `outputCharacters` 10,485,760
   */
  readonly code: SandboxLimits;
}
