/** Calls that are repeated while a connection is lost, until they are answered or a time limit is over. */
import { StepwellError } from "../../../src/errors.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { isRefusal, type RedisErrors } from "./redis-errors.ts";

/** Milliseconds after which a call fails, as for drivers. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Pauses between attempts, in milliseconds. */
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 500;

export interface CallParts {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly errors: RedisErrors;
  /** Resolves when the store closes, whose calls then end. */
  readonly closed: Promise<StepwellError>;
  /** Host and port, for messages. */
  readonly address?: string;
  /** Called with the error of an attempt that is repeated. */
  onRepeat?(error: StepwellError): void;
}

/**
 * Calls until the answer arrives.
 * @param attempt Must have the same effect if it is repeated.
 * @throws StepwellError `unavailable` if Redis refuses the call, or doesn't answer within the time limit
 */
export type Call = <T>(action: string, attempt: () => Promise<T>) => Promise<T>;

export function createCall({ clock, timeoutMs, errors, closed, address, onRepeat }: CallParts): Call {
  return (action, attempt) =>
    new Promise((resolve, reject) => {
      let isOver = false;
      let lastError: unknown = null;
      const cancel = clock.after(timeoutMs, () =>
        end(() => reject(errors.late(action, timeoutMs, lastError, address))),
      );
      function end(settle: () => void): void {
        isOver = true;
        cancel();
        settle();
      }

      async function repeat(): Promise<void> {
        const pause = createPause(clock);
        while (!isOver) {
          try {
            const answer = await attempt();
            return end(() => resolve(answer));
          } catch (error) {
            if (error instanceof StepwellError || isRefusal(error))
              return end(() => reject(errors.failed(action, error, address)));
            lastError = error;
            if (!isOver) onRepeat?.(errors.failed(action, error, address));
          }
          const stopped = await Promise.race([pause(), closed]);
          if (stopped instanceof StepwellError) return end(() => reject(stopped));
        }
      }
      void repeat();
    });
}

/** Each pause is twice as long as the one before, up to a limit. */
export function createPause(clock: Clock): () => Promise<void> {
  let milliseconds = FIRST_PAUSE_MS;
  return () =>
    new Promise((resolve) => {
      clock.after(milliseconds, resolve);
      milliseconds = Math.min(2 * milliseconds, LAST_PAUSE_MS);
    });
}
