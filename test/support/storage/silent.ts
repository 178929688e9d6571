/** A logger that drops everything. */
import type { Logger } from "../../../src/ports/logger.ts";

const nothing = () => undefined;
export const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
