/** Logs warnings and errors to the console, and drops the rest. */
import type { Logger } from "../ports/logger.ts";

export const consoleLogger: Logger = {
  debug() {},
  info() {},
  warn: (message, fields) => console.warn(`stepwell: ${message}`, fields ?? ""),
  error: (message, fields) => console.error(`stepwell: ${message}`, fields ?? ""),
};
