/** The position of a validation in a schema and a value, and its operations. */

export interface ValueLocation {
  /** JSON Pointer into the value. */
  readonly at: string;
  readonly depth: number;
  /**
   * Names and indexes that a schema has evaluated. `unevaluatedProperties` and `unevaluatedItems` apply to the others.
   */
  readonly seen: Set<string>;
}

/** A part of a validation. It yields when it has worked for a while, so that the event loop can handle other events. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Traverses a schema and a value. */
export interface Walk {
  holds(schema: unknown, value: unknown, location: ValueLocation): Steps<boolean>;
  /** Returns the result of a test and discards its reports. */
  quietly(test: Steps<boolean>): Steps<boolean>;
  /** Returns the result of a test and discards its reports if it succeeds. */
  unless(test: Steps<boolean>): Steps<boolean>;
  /** Reports an error at a location. @returns False. */
  report(location: ValueLocation, message: string): false;
  /** @throws UnusableSchema if the budget is exceeded. */
  spend(operations: number): void;
  /** Whether the walk should yield. */
  isDue(): boolean;
}
