/** Functions of the host that are called when something has happened. */
import { StepwellError } from "../errors.ts";
import type { Logger } from "../ports/logger.ts";
import { EVENT_TYPES, type EventPattern, type EventTypesOf, type StepwellEvent, typesOf } from "./event.ts";

/**
 * Calls `listener` for each event of the type, of all types of a group (`record.*`), or of all types (`*`). It is called
 * once the change is stored, before the call that made it returns, so it should be quick. What it throws is logged and hurts
 * nobody. An event that this process stores reaches it at most once: none is repeated after a crash. For deliveries that must
 * not be lost, create a webhook.
 * @returns A function that ends the calls.
 * @throws StepwellError `invalid` for an unknown type
 */
export type On = <Pattern extends EventPattern>(
  type: Pattern,
  listener: (event: StepwellEvent<EventTypesOf<Pattern>>) => unknown,
) => () => void;

export interface Listeners {
  readonly on: On;
  /** Whether anybody listens to any event. */
  readonly isEmpty: boolean;
  hears(type: string): boolean;
  /** Never throws. */
  tell(event: StepwellEvent): void;
}

export function createListeners({ logger }: { logger: Logger }): Listeners {
  /** By type, in the order of the subscriptions. */
  const byType = new Map<string, Set<(event: never) => unknown>>();

  function report(error: unknown, event: StepwellEvent): void {
    logger.error("a listener of events threw an error", { event: event.id, type: event.type, error });
  }

  return {
    on(pattern, listener) {
      const types = typesOf(pattern);
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
    hears: (type) => byType.has(type),

    tell(event) {
      for (const listener of [...(byType.get(event.type) ?? [])]) {
        try {
          // A copy: the event shares objects with stored documents.
          const answer = listener(structuredClone(event) as never); // called by its type only
          if (answer instanceof Promise) answer.catch((error: unknown) => report(error, event));
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
  return new StepwellError("invalid", `${JSON.stringify(pattern)} is not a type of event. Known: ${known}.`);
}
