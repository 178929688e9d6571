/** Types of the data that callers write to records: JSON, including interfaces. */
import type { JsonInput } from "../../json.ts";

/** Accepts an interface, which is not assignable to a type with an index signature. Refuses what JSON does not have. */
type Json<T> = T extends JsonInput
  ? T
  : T extends (...args: never) => unknown
    ? never
    : T extends object
      ? { [Name in keyof T]: Json<T[Name]> }
      : never;

/** An entity is an object with fields, or what stands for no entity. */
type Entity<T, Empty> = T extends Empty ? T : T extends readonly unknown[] ? never : T extends object ? Json<T> : never;

/** The same input, with `data` of any type that is JSON. */
export type WithData<Input extends { data?: unknown }, Data, Empty = never> = Omit<Input, "data"> & {
  /** Values by entity and field, at most 10,000 fields and 1 MiB of JSON. `{ file_id: "afile_…" }` refers to a file. */
  data?: Data & { [Name in keyof Data]: Entity<Data[Name], Empty> };
};
