/** Warnings and errors to the console; what is less than that, nowhere. */
import type { Logger } from "../ports/logger.ts";

export const consoleLogger: Logger = {
  debug() {},
  info() {},
  warn: (message, fields) => console.warn(`stepwell: ${message}`, fields ?? ""),
  error: (message, fields) => console.error(`stepwell: ${message}`, fields ?? ""),
};
