/** Validates the shape of options, for programs that no compiler has checked. */
import * as v from "valibot";
import { type FieldError, StepwellError } from "../errors.ts";
import { isRecord } from "../json.ts";
import { fieldErrors } from "../messages/field-errors.ts";
import { isStoreAdapter } from "../ports/store-adapter.ts";
import { map, type Schema, strictObject } from "../schema.ts";

/** An object of any class with these functions. */
export function having(what: string, ...names: readonly string[]) {
  return v.optional(
    v.custom<unknown>(
      (value) => isRecord(value) && names.every((name) => typeof value[name] === "function"),
      `Must be ${what}.`,
    ),
  );
}

const isFunction = (value: unknown) => typeof value === "function";
const anObject = v.custom<unknown>(isRecord, "Must be an object.");
const service = v.custom<unknown>(
  (value) => isRecord(value) && typeof value["name"] === "string",
  "Must be a service created with defineService.",
);
const trigger = v.custom<unknown>(
  (value) => isRecord(value) && typeof value["name"] === "string",
  "Must be a trigger type created with defineTrigger.",
);
const text = (such: string) => v.optional(v.string(`Must be a string such as ${such}.`));

/** An origin as browsers send it, without a path. Documents without an origin send `null`. */
const ORIGIN = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\sA-Z]+\/?|null)$/;
const ORIGINS = 'Must be "*" or an array of origins such as ["https://app.example.com"].';
const ONE_ORIGIN =
  "Must be an origin such as https://app.example.com: a scheme and a host in lower case, without a path.";

/** What the header `Authorization` can carry. */
const ADMIN_KEY =
  "Must be a long random string of visible ASCII characters without spaces. Omit it to disable /apps and app keys.";

const SECRET =
  "Must be a random string of at least 32 characters, such as the output of openssl rand -base64 32, or an array of them.";
const secret = v.pipe(v.string(SECRET), v.minLength(32, SECRET));

const CHECKPOINT = "Must be a whole number of at least 1.";
const MAX_AGE = "Must be a finite number of seconds of at least 0.";

const STORAGE =
  "Must be an object with a driver or store as entities and optionally another as blobs: storage: { entities: driver }.";
/** A common mistake: `storage: driver`. */
const isDriverOrStore = (value: object) => "getItem" in value || isStoreAdapter(value);
const storage = strictObject(
  {
    entities: v.optional(v.unknown()),
    blobs: v.optional(v.unknown()),
    checkpointRecords: v.optional(v.pipe(v.number(CHECKPOINT), v.safeInteger(CHECKPOINT), v.minValue(1, CHECKPOINT))),
  },
  'Pass a driver as entities: storage: { entities: fsDriver({ base: ".stepwell" }) }.',
);

export const logger = having(
  "an object with the functions debug(), info(), warn() and error()",
  "debug",
  "info",
  "warn",
  "error",
);

const Shape = strictObject({
  baseUrl: text("https://example.com"),
  storage: v.optional(v.lazy((value) => (isRecord(value) && !isDriverOrStore(value) ? storage : v.never(STORAGE)))),
  adminKey: v.optional(v.pipe(v.string(ADMIN_KEY), v.regex(/^[\x21-\x7e]+$/, ADMIN_KEY))),
  secret: v.optional(
    v.lazy((value) => (Array.isArray(value) ? v.pipe(v.array(secret), v.minLength(1, SECRET)) : secret)),
  ),
  net: v.optional(
    strictObject({
      allow: v.optional(v.array(v.string("Must be a string such as 10.0.0.0/8."), "Must be an array of strings.")),
    }),
  ),
  cors: v.optional(
    strictObject({
      origins: v.lazy((value) =>
        Array.isArray(value)
          ? v.array(v.pipe(v.string(ONE_ORIGIN), v.regex(ORIGIN, ONE_ORIGIN)))
          : v.literal("*", ORIGINS),
      ),
      maxAge: v.optional(v.pipe(v.number(MAX_AGE), v.finite(MAX_AGE), v.minValue(0, MAX_AGE))),
    }),
  ),
  cluster: having("a cluster such as bullmq({ connection })", "connect"),
  limits: v.optional(anObject),
  services: v.optional(v.array(service, "Must be an array of services created with defineService.")),
  triggers: v.optional(v.array(trigger, "Must be an array of trigger types created with defineTrigger.")),
  models: v.optional(
    map(
      v.custom<unknown>(
        (value) => isFunction(value) || (isRecord(value) && isFunction(value["languageModel"])),
        "Must be an AI SDK provider such as createOpenAI({ apiKey }), or a function that returns a model for a name.",
      ),
    ),
  ),
  webSearch: having("a provider such as brave({ key })", "search"),
  sandbox: having("a sandbox with the functions run() and close()", "run", "close"),
  browser: having("a browser such as createPlaywrightBrowser()", "visit", "close"),
  extractor: having("an extractor such as createExtractor()", "extract", "close"),
  mcp: having("a server such as createMcpServer()", "respond", "close"),
  console: having("the console that webConsole() of stepwell/console returns", "load"),
  fetch: v.optional(v.custom<unknown>(isFunction, "Must be a function.")),
  telemetry: having("an object with the function runEnded()", "runEnded"),
  logger,
  clock: having("an object with the functions now() and after()", "now", "after"),
  ids: having("an object with the functions next() and random()", "next", "random"),
});

/** @throws StepwellError `invalid` with an entry for each unknown or invalid option */
export const checkShape = (options: unknown): void => checkOptions(Shape, options);

/** The same for the options of another function. */
export function checkOptions(schema: Schema, options: unknown): void {
  if (!isRecord(options)) throw new StepwellError("invalid", "The options must be an object.");
  const result = v.safeParse(schema, options);
  if (result.success) return;
  const errors = fieldErrors(result.issues);
  const messages = errors.map(({ pointer, message }) => {
    const given = shownOption(valueAt(options, pointer.slice(1).split("/")));
    return `${pointer.slice(1).replaceAll("/", ".")}: ${message} Received ${given}.`;
  });
  throw invalidOptions(messages, errors);
}

/** @param messages Each starts with the name of the option and a colon. */
export function invalidOptions(messages: readonly string[], errors: readonly FieldError[]): StepwellError {
  return new StepwellError("invalid", `The options are invalid. ${messages.join(" ")}`, { errors });
}

function valueAt(options: unknown, path: readonly string[]): unknown {
  return path.reduce(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    options,
  );
}

/** Describes a value without its text, which may be secret. */
export function shownOption(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty string" : "a string";
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
