/** Warns of an admin key that can be guessed. */
import type { Logger } from "../ports/logger.ts";

/** Of base64, that is 72 bits. */
const MIN_CHARS = 12;

export function warnOfShortKey(adminKey: string | undefined, logger: Logger): void {
  if (adminKey === undefined || adminKey.length >= MIN_CHARS) return;
  logger.warn(
    `adminKey has fewer than ${MIN_CHARS} characters and can be guessed; use a long random string, such as the output of openssl rand -hex 32`,
  );
}
