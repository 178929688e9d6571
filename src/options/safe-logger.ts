/** A logger of the host that fails must not fail what it reports on, or end the process. */
import type { Logger } from "../ports/logger.ts";

/** Drops what the logger throws, also later: there is no other place to report it. */
export function safeLogger(logger: Logger): Logger {
  const logAs =
    (level: keyof Logger): Logger[typeof level] =>
    (message, fields) => {
      try {
        const result: unknown = logger[level](message, fields);
        if (result instanceof Promise) result.catch(() => undefined);
      } catch {
        // Said above.
      }
    };
  return { debug: logAs("debug"), info: logAs("info"), warn: logAs("warn"), error: logAs("error") };
}
