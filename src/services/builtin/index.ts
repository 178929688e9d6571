/** The built-in services. */
import type { Clock } from "../../ports/clock.ts";
import type { WebSearch } from "../../ports/web-search.ts";
import type { RegisteredService } from "../service.ts";
import { events } from "./events.ts";
import { files } from "./files.ts";
import { type HttpService, http } from "./http.ts";
import { inputs } from "./inputs.ts";
import { records } from "./records.ts";
import { rules } from "./rules.ts";
import { scheduler } from "./scheduler.ts";
import { type WebSearchService, webSearch } from "./web-search.ts";
import { webhooks } from "./webhooks.ts";

/** What the host provides for services that need an external system. */
export interface BuiltInParts {
  readonly clock: Clock;
  /** Maximum bytes of a file. */
  readonly fileBytes: number;
  readonly webSearch?: WebSearch | undefined;
}

export type BuiltIn =
  | typeof events
  | typeof files
  | HttpService
  | typeof inputs
  | typeof records
  | typeof rules
  | typeof scheduler
  | typeof webhooks
  | WebSearchService;

/** Built-in services by name. A string for one that is not available: the message that says which option enables it. */
export function builtInServices(parts: BuiltInParts): Readonly<Record<BuiltIn["name"], RegisteredService | string>> {
  return {
    events,
    files,
    http: http(parts),
    inputs,
    records,
    rules,
    scheduler,
    webhooks,
    web_search:
      parts.webSearch === undefined
        ? "Web search is not configured. Pass createStepwell({ webSearch }) with a provider from stepwell/search."
        : webSearch(parts.webSearch),
  };
}
