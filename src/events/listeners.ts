/** Listeners: functions of the host that are called with events. */
import { cut, StepwellError } from "../errors.ts";
import type { Logger } from "../ports/logger.ts";
import { EVENT_TYPES, type EventPattern, type EventTypesOf, type StepwellEvent, typesOf } from "./event.ts";

/**
 * Calls `listener` for each event of the type, of all types of a group (`record.*`), or of all types (`*`). Stepwell
 * calls it after storing the change and before the call that made the change returns, so it should be fast. Stepwell
 * logs its errors and ignores them. It receives each event of this process at most once, and none again after a crash.
 * If you must not miss an event, create a webhook.
 * @returns A function that removes the listener.
 * @throws StepwellError `invalid` for an unknown type
 */
export type On = <Pattern extends EventPattern>(
  type: Pattern,
  listener: (event: StepwellEvent<EventTypesOf<Pattern>>) => unknown,
) => () => void;

export interface Listeners {
  readonly on: On;
  /** Whether there are no listeners. */
  readonly isEmpty: boolean;
  /** Whether there are listeners of a type. */
  has(type: string): boolean;
  /** Calls the listeners of the event's type. Never throws. */
  publish(event: StepwellEvent): void;
}

/** Characters of an unknown type in an error. */
const MAX_SHOWN_CHARS = 100;
const kindOf = (value: unknown) => (value === null ? "null" : `A value of type ${typeof value}`);

export function createListeners({ logger }: { logger: Logger }): Listeners {
  /** By type, in the order of the subscriptions. */
  const byType = new Map<string, Set<(event: never) => unknown>>();

  function report(error: unknown, event: StepwellEvent): void {
    logger.error("an event listener threw an error", { event: event.id, type: event.type, error });
  }

  return {
    on(pattern, listener) {
      const types = typeof pattern === "string" ? typesOf(pattern) : [];
      if (types.length === 0 || typeof listener !== "function") throw invalidListener(pattern, types);
      // A wrapper of its own, so that a function that is passed twice is called twice.
      const own = (event: Parameters<typeof listener>[0]) => listener(event);
      for (const type of types) byType.set(type, (byType.get(type) ?? new Set()).add(own));
      return () => {
        for (const type of types) {
          const others = byType.get(type);
          others?.delete(own);
          if (others?.size === 0) byType.delete(type);
        }
      };
    },

    get isEmpty() {
      return byType.size === 0;
    },
    has: (type) => byType.has(type),

    publish(event) {
      for (const listener of [...(byType.get(event.type) ?? [])]) {
        try {
          // A copy: the event shares objects with stored documents.
          const result = listener(structuredClone(event) as never); // listeners of this type accept the event
          if (result instanceof Promise) result.catch((error: unknown) => report(error, event));
        } catch (error) {
          report(error, event);
        }
      }
    },
  };
}

function invalidListener(pattern: unknown, types: readonly string[]): StepwellError {
  if (types.length > 0) return new StepwellError("invalid", "The listener must be a function.");
  const known = [...EVENT_TYPES, "*"].join(", ");
  const given = typeof pattern === "string" ? JSON.stringify(cut(pattern, MAX_SHOWN_CHARS)) : kindOf(pattern);
  return new StepwellError("invalid", `${given} is not a type of event. Use one of ${known}.`);
}
