/** Logs events that callers don't see. Fields never contain secrets or bodies. */
export interface Logger {
  /** For developers of Stepwell. The default logger drops it. */
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Normal events. The default logger drops them. */
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Problems that Stepwell handles automatically, or that need a setting. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Failures that need attention. `fields.error` is the error, if there is one. */
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
