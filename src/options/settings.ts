/** Turns options into settings: validated, with defaults. */
import { MEBIBYTE } from "../encoding/bytes.ts";
import { trimEnd } from "../encoding/trim.ts";
import type { StepwellError } from "../errors.ts";
import { isRecord } from "../json.ts";
import type { ExtendedDriver } from "../ports/driver.ts";
import { isStoreAdapter } from "../ports/store-adapter.ts";
import { CODE_RANGES, isWithin, LIMIT_RANGES, type Ranges, rangeText } from "./limit-ranges.ts";
import type { Limits, Options, StorageOptions } from "./options.ts";
import { checkShape, invalidOptions, shownOption } from "./validate-options.ts";

export const DEFAULT_BASE_URL = "http://localhost:3000";
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: MEBIBYTE,
  bodyIdleMs: 60_000,
  fileBytes: 5 * 1024 * MEBIBYTE,
  concurrentRuns: 100,
  concurrentRunsPerApp: Number.POSITIVE_INFINITY,
  concurrentRunsPerWorkflow: Number.POSITIVE_INFINITY,
  queuedRuns: 10_000,
  childRuns: 100,
  descendantRuns: 100_000,
  runTimeoutMs: Number.POSITIVE_INFINITY,
  runRetentionMs: Number.POSITIVE_INFINITY,
  modelTimeoutMs: 10 * 60_000,
  code: { memoryBytes: 64 * MEBIBYTE, timeoutMs: 5_000, stackBytes: MEBIBYTE, outputCharacters: 10 * MEBIBYTE },
};

/** The options with defaults applied. */
export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly limits: Limits;
  /** The first encrypts, all of them decrypt. */
  readonly secrets: readonly string[];
}

/** @throws StepwellError `invalid` with the name of an unknown or invalid option */
export function settingsOf(options: Options): Settings {
  checkShape(options);
  const { baseUrl = DEFAULT_BASE_URL, limits = {}, storage = {}, secret = [] } = options;
  checkStorage(storage);
  checkCluster(options);
  const { code, ...numbers } = limits;
  const all = {
    ...withDefaults("limits", numbers, DEFAULT_LIMITS, LIMIT_RANGES),
    code: withDefaults("limits.code", code ?? {}, DEFAULT_LIMITS.code, CODE_RANGES),
  };
  const address = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (address === null || !/^https?:$/.test(address.protocol) || address.search !== "" || address.hash !== "") {
    const right = "Must be an http or https URL without a query and a fragment, such as https://example.com/path";
    throw invalidOptions([`baseUrl: ${right}. Received ${JSON.stringify(baseUrl)}.`], []);
  }
  return { baseUrl: trimEnd(baseUrl, "/"), limits: all, secrets: typeof secret === "string" ? [secret] : secret };
}

function checkStorage({ entities, blobs, checkpointRecords }: StorageOptions): void {
  const aDriver = 'Must be an unstorage driver such as fsDriver({ base: ".stepwell" })';
  const isStore = isObject(entities) && isStoreAdapter(entities);
  if (entities !== undefined && !isStore && !isDriver(entities)) {
    throw wrong("storage.entities", `${aDriver}, or a store such as sqlite({ file: ".stepwell/store.db" })`, entities);
  }
  if (blobs !== undefined && !isDriver(blobs)) throw wrong("storage.blobs", aDriver, blobs);
  if (!isStore) return;
  if (checkpointRecords !== undefined) {
    throw wrong(
      "storage.checkpointRecords",
      `Only for drivers: the store ${entities.name} has no log`,
      checkpointRecords,
    );
  }
}

/** A store that one process locks would keep the others out. */
function checkCluster({ cluster, storage: { entities, blobs } = {} }: Options): void {
  if (cluster === undefined) return;
  if (isObject(entities) && isStoreAdapter(entities) && entities.canBeShared) {
    checkSharedBlobs(blobs ?? entities.blobs);
    return;
  }
  const name = isObject(entities) && "name" in entities ? String(entities.name) : "memory";
  const stores = "postgres() of stepwell/storage/postgres or redisStore() of stepwell/storage/redis-store";
  throw invalidOptions([`cluster: Several processes cannot use the storage "${name}". Use ${stores}.`], []);
}

/** Each process would have files of its own, or the first one would keep the others out. */
function checkSharedBlobs(driver: ExtendedDriver | undefined): void {
  if (driver?.canBeShared !== false) return;
  const name = driver.name ?? "unnamed";
  const drivers =
    "s3Driver() or redisDriver(), or fsDriver({ base, shared: true }) for a folder that all processes see";
  throw invalidOptions([`storage.blobs: Several processes cannot share files in "${name}". Use ${drivers}.`], []);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isDriver = (value: unknown) => isRecord(value) && typeof value["getItem"] === "function";

function withDefaults<T extends object>(option: string, limits: object, defaults: T, ranges: Ranges): T {
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  for (const [name, limit] of given) {
    const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
    if (range === undefined)
      throw invalidOptions(
        [`${option}.${name}: Unknown limit. Expected one of ${Object.keys(defaults).join(", ")}.`],
        [],
      );
    if (!isWithin(limit, range)) throw wrong(`${option}.${name}`, `Must be ${rangeText(range)}`, limit);
  }
  return { ...defaults, ...Object.fromEntries(given) };
}

function wrong(option: string, message: string, given: unknown): StepwellError {
  return invalidOptions([`${option}: ${message}. Received ${shownOption(given)}.`], []);
}
