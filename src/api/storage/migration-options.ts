/** Validates the options of a migration, for programs that no compiler has checked. */
import * as v from "valibot";
import { isRecord } from "../../json.ts";
import { checkOptions, having, logger } from "../../options/validate-options.ts";
import { isStoreAdapter } from "../../ports/store-adapter.ts";
import { strictObject } from "../../schema.ts";

const isDriver = (value: unknown) =>
  isRecord(value) && ["getItem", "getKeys"].every((name) => typeof value[name] === "function");

const STORAGE = 'Must be a driver or a store, such as fsDriver({ base: ".stepwell" }) or sqlite({ file: "store.db" }).';
const BYTES = 'Must be a driver, such as fsDriver({ base: ".stepwell" }). Stores take documents only, as entities.';

const side = strictObject(
  {
    entities: v.custom<unknown>((value) => isDriver(value) || (isRecord(value) && isStoreAdapter(value)), STORAGE),
    blobs: v.optional(
      v.custom<unknown>((value) => isDriver(value) && isRecord(value) && !isStoreAdapter(value), BYTES),
    ),
  },
  "A storage has entities and, if needed, blobs.",
);

/** A common mistake is the driver itself, as `repairStorage` takes it. */
const sideNamed = (name: string) =>
  v.lazy((value) =>
    isRecord(value) && !isDriver(value) && !isStoreAdapter(value)
      ? side
      : v.custom<unknown>(
          () => false,
          `Must be an object with a driver or store as entities, and optionally a driver as blobs: ${name}: { entities: fsDriver({ base: ".stepwell" }) }.`,
        ),
  );

const Shape = strictObject({
  from: sideNamed("from"),
  to: sideNamed("to"),
  onProgress: v.optional(v.custom<unknown>((value) => typeof value === "function", "Must be a function.")),
  signal: having("the signal of an AbortController", "throwIfAborted", "addEventListener"),
  logger,
});

/** @throws StepwellError `invalid` that names each unknown, missing or invalid option */
export const checkMigrationOptions = (options: unknown): void => checkOptions(Shape, options);
