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

/** Traverses a schema and a value. */
export interface Walk {
  holds(schema: unknown, value: unknown, location: ValueLocation): boolean;
  /** Returns the result of a test and discards its reports. */
  quietly(test: () => boolean): boolean;
  /** Returns the result of a test and discards its reports if it succeeds. */
  unless(test: () => boolean): boolean;
  /** Reports an error at a location. @returns False. */
  report(location: ValueLocation, message: string): false;
  /** @throws UnusableSchema if the budget is exceeded. */
  spend(operations: number): void;
}
