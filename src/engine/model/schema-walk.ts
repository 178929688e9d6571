/** Where a check of a value by a JSON Schema is, and what it can do there. */

export interface ValueLocation {
  /** Pointer into the value. */
  readonly at: string;
  readonly depth: number;
  /** Names and indexes that a schema has looked at: `unevaluatedProperties` and `unevaluatedItems` are about the rest. */
  readonly seen: Set<string>;
}

/** A walk through a schema and a value. */
export interface Walk {
  holds(schema: unknown, value: unknown, place: ValueLocation): boolean;
  /** Whether something holds; forgets what it reports. */
  quietly(test: () => boolean): boolean;
  /** Whether something holds; forgets what it reports if it does. */
  unless(test: () => boolean): boolean;
  /** Says what is wrong at a place. @returns False. */
  report(place: ValueLocation, message: string): false;
  /** @throws UnusableSchema when nothing is left. */
  spend(operations: number): void;
}
