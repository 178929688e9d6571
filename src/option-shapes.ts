/** What each option must be, for programs that no compiler has checked. */
import * as v from "valibot";
import { StepwellError } from "./errors.ts";
import { isRecord } from "./json.ts";
import { fieldErrors, map, strictObject } from "./schema.ts";

/** Anything with these functions, whatever it was made of. */
function having(...names: readonly string[]) {
  const list = names.map((name) => `${name}()`).join(", ");
  return v.optional(
    v.custom<unknown>(
      (value) => isRecord(value) && names.every((name) => typeof value[name] === "function"),
      `Must be an object with ${list}.`,
    ),
  );
}

const isFunction = (value: unknown) => typeof value === "function";
const anObject = v.custom<unknown>(isRecord, "Must be an object.");
const text = (such: string) => v.optional(v.string(`Must be a text, such as ${such}.`));

/** As browsers send it: without a path; `null` is what pages without an origin send. */
const ORIGIN = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\sA-Z]+\/?|null)$/;
const ORIGINS = 'Must be "*", or a list of origins such as ["https://app.example.com"].';
const ONE_ORIGIN =
  "Must be an origin, such as https://app.example.com: a scheme and a host, in small letters, and no path.";

const SECRET =
  "Must be a random text of 32 characters or more, such as openssl rand -base64 32 gives, or a list of such.";
const secret = v.pipe(v.string(SECRET), v.minLength(32, SECRET));

const Shape = strictObject({
  baseUrl: text("https://example.com"),
  storage: v.optional(
    strictObject({
      entities: v.optional(v.unknown()),
      blobs: v.optional(v.unknown()),
      checkpointRecords: v.optional(
        v.pipe(v.number(), v.safeInteger("Must be a whole number."), v.minValue(1, "Must be at least 1.")),
      ),
    }),
  ),
  adminKey: text("a long random one"),
  secret: v.optional(
    v.lazy((value) => (Array.isArray(value) ? v.pipe(v.array(secret), v.minLength(1, SECRET)) : secret)),
  ),
  net: v.optional(
    strictObject({
      allow: v.optional(v.array(v.string("Must be a text, such as 10.0.0.0/8."), "Must be a list of texts.")),
    }),
  ),
  cors: v.optional(
    strictObject({
      origins: v.lazy((value) =>
        Array.isArray(value)
          ? v.array(v.pipe(v.string(ONE_ORIGIN), v.regex(ORIGIN, ONE_ORIGIN)))
          : v.literal("*", ORIGINS),
      ),
      maxAge: v.optional(
        v.pipe(
          v.number("Must be a number of seconds."),
          v.finite("Must be finite."),
          v.minValue(0, "Must not be less than 0."),
        ),
      ),
    }),
  ),
  limits: v.optional(anObject),
  services: v.optional(v.array(anObject, "Must be a list of services, each made with defineService.")),
  models: v.optional(
    map(
      v.custom<unknown>(
        (value) => isFunction(value) || (isRecord(value) && isFunction(value["languageModel"])),
        "Must be a provider of the AI SDK, such as createOpenAI({ apiKey }), or a function from a model's name to a model of it.",
      ),
    ),
  ),
  webSearch: having("search"),
  sandbox: having("run", "close"),
  browser: having("visit", "close"),
  extractor: having("extract", "close"),
  fetch: v.optional(v.custom<unknown>(isFunction, "Must be a function.")),
  telemetry: having("runEnded"),
  logger: having("debug", "info", "warn", "error"),
  clock: having("now", "after"),
  ids: having("next", "random"),
});

/** @throws StepwellError `invalid` with every option that is not what it must be, and those that there are not. */
export function checkShape(options: unknown): void {
  if (!isRecord(options)) throw new StepwellError("invalid", "The options must be an object.");
  const result = v.safeParse(Shape, options);
  if (result.success) return;
  const errors = fieldErrors(result.issues);
  const told = errors.map(({ pointer, message }) => `${pointer.slice(1).replaceAll("/", ".")}: ${message}`);
  throw new StepwellError("invalid", `The options are wrong. ${told.join(" ")}`, { errors });
}
