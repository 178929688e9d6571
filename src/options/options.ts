/** What can be given at construction. */

import { MEBIBYTE } from "../encoding/bytes.ts";
import { trimEnd } from "../encoding/trim.ts";
import { StepwellError } from "../errors.ts";
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
import { CODE_RANGES, isWithin, LIMIT_RANGES, type Ranges, rangeText } from "./limit-ranges.ts";
import { checkShape, shownOption } from "./validate-options.ts";

export interface Options<Services extends readonly AnyService[] = readonly AnyService[]> {
  /**
   * Where the service is reached from outside; `upload_url` and `link` start with it, and its path is the mount path.
   * Never taken from a Host header.
   * @default "http://localhost:3000"
   */
  readonly baseUrl?: string | undefined;
  /** Where things are kept; any unstorage driver. */
  readonly storage?: StorageOptions;
  /** The bearer token that opens `/apps` and `/apps/{app_id}/keys` over HTTP. Left out, they are closed. */
  readonly adminKey?: string | undefined;
  /**
   * What the credentials of connections and the secrets of webhooks are encrypted with: a long random text, 32
   * characters or more, such as `openssl rand -base64 32` gives. Of a list the first encrypts and all decrypt:
   * `[new, old]` while they are replaced. Without the one that they were encrypted with, nobody can read them. Left out,
   * there are no connections and no signed webhooks.
   */
  readonly secret?: string | readonly [string, ...string[]] | undefined;
  /** What the guarded fetch may reach beside public addresses. */
  readonly net?: NetOptions;
  /** Browsers of other origins. Left out, they are not answered. */
  readonly cors?: CorsOptions;
  readonly limits?: Partial<Omit<Limits, "code">> & { readonly code?: Partial<SandboxLimits> };
  /** What service steps can call, each made with `defineService`. */
  readonly services?: Services;
  /**
   * What model steps can ask, by the names that they call it: providers of the AI SDK, with their keys. The package `ai`
   * is loaded with the first answer.
   *
   * @example
   * ```ts
   * models: { openai: createOpenAI({ apiKey }), local: createOpenAICompatible({ name: "local", baseURL }) }
   * ```
   */
  readonly models?: Readonly<Record<string, LanguageModelProvider>>;
  /**
   * What the `web_search` service asks: `searxng({ url })`, `brave({ key })` or `tavily({ key })` of `stepwell/search`.
   * Left out, a step that calls it is refused when it is deployed.
   */
  readonly webSearch?: WebSearch;
  /** Runs code steps. Left out, QuickJS, loaded on first use. */
  readonly sandbox?: Sandbox;
  /**
   * Renders the pages of `browser` steps: `createPlaywrightBrowser()` of `stepwell/playwright`. It has connections of its
   * own, which go where `net` says. Left out, pages are fetched as they are sent, and a step that waits for a selector is
   * refused when it is deployed.
   */
  readonly browser?: Browser;
  /**
   * What reads documents, for `extract_contents`, `extract_images`, and `strip_html`.
   * @default `createExtractor()` of `stepwell/extract`
   */
  readonly extractor?: Extractor;
  /**
   * Fetches every address that a user supplies: whatever is given here answers for what it reaches. For tests, and for
   * hosts that have a guarded way out of their own. Left out, addresses are checked as `net` says.
   */
  readonly fetch?: GuardedFetch;
  /** Told of every run that has ended; `stepwell/telemetry/opentelemetry` makes spans of them. */
  readonly telemetry?: Telemetry;
  /** Left out, warnings and errors go to the console. */
  readonly logger?: Logger;
  /** Left out, the clock of the machine. */
  readonly clock?: Clock;
  /**
   * Makes ids and secrets, for tests and simulations that must repeat: an attacker who can predict it can predict API keys.
   * @default ids that sort by time and cannot be guessed
   */
  readonly ids?: Ids;
}

export interface StorageOptions {
  /**
   * Documents: everything but the bytes of files. One process at a time may own them.
   * @default memory, which is gone when the process ends
   */
  readonly entities?: Driver;
  /**
   * The bytes of files.
   * @default the driver of the entities
   */
  readonly blobs?: Driver;
  /**
   * Records of the write-ahead log after which a checkpoint moves them to where they stay. More of them mean fewer
   * writes and a longer start.
   * @default 4,000 where the driver can append them to one item, else 1,000
   */
  readonly checkpointRecords?: number;
}

export interface NetOptions {
  /**
   * Hosts, addresses or CIDR ranges, each with or without a port, that may be fetched although they are private:
   * `127.0.0.1:8080`, `10.0.0.0/8`, `intranet.local`.
   */
  readonly allow?: readonly string[];
}

export interface Limits {
  /** Bytes of a JSON body. @default 1 MiB */
  readonly body: number;
  /**
   * Milliseconds of waiting within which a KiB of the body of a request, or its end, must come; then it is answered with
   * `request_timeout`, and what it held is free again. Servers may have a limit of their own for a request as a whole:
   * Node's `server.requestTimeout` is 5 minutes, too short for large files on slow lines.
   * @default 60,000
   */
  readonly bodyIdle: number;
  /** Bytes of an uploaded file. @default 5 GiB */
  readonly file: number;
  /**
   * Runs that are under way at once; runs that only wait do not count. Nor does an action that ignores its `signal` and
   * goes on after its run was canceled, or its step took too long. Runs within runs have places of their own: as many on
   * each of the 16 levels, so that none waits for a place that its parents hold. The rules of a record that a step writes
   * have places a level below the run of that step.
   * @default 100
   */
  readonly runs: number;
  /** Of these, of one app, on each level as well. @default as many as in all */
  readonly runsPerApp: number;
  /** Of these, of one workflow, on each level as well. @default as many as in all */
  readonly runsPerWorkflow: number;
  /**
   * Runs that wait for their turn; one more is refused with `too_many_requests`. A run that needs no turn yet is taken
   * all the same: one that ends at once, or whose first steps all wait, for input, files or a moment. It waits for its
   * turn once it can go on, however many do. So does a run within another.
   * @default 10,000
   */
  readonly queuedRuns: number;
  /**
   * Runs below one run, on all levels and from its start on, which `workflow` steps and models start; a step that would
   * start one more fails as `descendant_limit`. Runs that were removed after `keepRuns` do not count any more.
   * @default 1,000
   */
  readonly descendantRuns: number;
  /**
   * Milliseconds from the start of a run to its end, whatever it does meanwhile, also while it waits for somebody and
   * while no process is there; a wait for its turn, or for files before it begins, is not counted. A run that takes
   * longer fails as `run_timeout`; one that is retried then has the whole time again. Each step has a limit of its own.
   * @default for ever: nobody but the host knows how long a person may take to answer
   */
  readonly runTime: number;
  /** Milliseconds that a run is kept after its end; older ones are removed every hour. @default for ever */
  readonly keepRuns: number;
  /**
   * Milliseconds that a model may take for one answer; a step that calls tools asks for several.
   * @default 600,000
   */
  readonly modelAnswer: number;
  /** Of one code step. @default 64 MiB of memory, 5 s, 1 MiB of stack, 10 Mi characters of output */
  readonly code: SandboxLimits;
}

export const DEFAULT_BASE_URL = "http://localhost:3000";
export const DEFAULT_LIMITS: Limits = {
  body: MEBIBYTE,
  bodyIdle: 60_000,
  file: 5 * 1024 * MEBIBYTE,
  runs: 100,
  runsPerApp: Number.POSITIVE_INFINITY,
  runsPerWorkflow: Number.POSITIVE_INFINITY,
  queuedRuns: 10_000,
  descendantRuns: 1_000,
  runTime: Number.POSITIVE_INFINITY,
  keepRuns: Number.POSITIVE_INFINITY,
  modelAnswer: 10 * 60_000,
  code: { memory: 64 * MEBIBYTE, time: 5_000, stack: MEBIBYTE, output: 10 * MEBIBYTE },
};

/** What the options come to, with the defaults in their places. */
export interface Settings {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly limits: Limits;
  /** The first encrypts, all decrypt. */
  readonly secrets: readonly string[];
}

/** @throws StepwellError `invalid` that names the option: unknown, not of its type, or of no use as it is. */
export function settingsOf(options: Options): Settings {
  checkShape(options);
  const { baseUrl = DEFAULT_BASE_URL, limits = {}, storage = {}, secret = [] } = options;
  for (const [name, driver] of [
    ["entities", storage.entities],
    ["blobs", storage.blobs],
  ] as const) {
    if (driver === undefined || typeof driver?.getItem === "function") continue;
    throw wrong(`storage.${name}`, "is not a driver", 'an unstorage driver such as fsDriver({ base: ".stepwell" })');
  }
  const { code, ...numbers } = limits;
  const all = {
    ...withDefaults("limits", numbers, DEFAULT_LIMITS, LIMIT_RANGES),
    code: withDefaults("limits.code", code ?? {}, DEFAULT_LIMITS.code, CODE_RANGES),
  };
  const address = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (address === null || !/^https?:$/.test(address.protocol) || address.search !== "" || address.hash !== "") {
    throw wrong(
      "baseUrl",
      `cannot be ${JSON.stringify(baseUrl)}`,
      "an http or https URL such as https://example.com/path",
    );
  }
  return { baseUrl: trimEnd(baseUrl, "/"), limits: all, secrets: typeof secret === "string" ? [secret] : secret };
}

function withDefaults<T extends object>(option: string, limits: object, defaults: T, ranges: Ranges): T {
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  for (const [name, limit] of given) {
    const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
    if (range === undefined)
      throw wrong(`${option}.${name}`, "is not a limit", `one of ${Object.keys(defaults).join(", ")}`);
    if (!isWithin(limit, range)) throw wrong(`${option}.${name}`, `cannot be ${shownOption(limit)}`, rangeText(range));
  }
  return { ...defaults, ...Object.fromEntries(given) };
}

function wrong(option: string, how: string, right: string): StepwellError {
  return new StepwellError("invalid", `${option} ${how}. Expected ${right}.`);
}
