/** The logger of the server: as the one of the library, but silent if the server does not start. */
import type { Logger } from "../../../src/ports/logger.ts";

interface StartLogger {
  readonly logger: Logger;
  /** Prints what was logged while the server started. If it does not start, the error of `stepwell dev` says why. */
  hasStarted(): void;
}

export function createStartLogger(print: Pick<Console, "warn" | "error"> = console): StartLogger {
  let kept: (() => void)[] | null = [];
  const log = (level: "warn" | "error", message: string, fields: object | undefined) => {
    const show = () => print[level](`stepwell: ${message}`, fields ?? "");
    if (kept === null) show();
    else kept.push(show);
  };
  return {
    logger: {
      debug() {},
      info() {},
      warn: (message, fields) => log("warn", message, fields),
      error: (message, fields) => log("error", message, fields),
    },
    hasStarted() {
      for (const show of kept ?? []) show();
      kept = null;
    },
  };
}
