/** Which features the options of the host make available, for clients. */
import type { Options } from "./options.ts";

export function configuredOf({ secret, models = {}, browser, webSearch, mcp, console }: Options) {
  return {
    secret: secret !== undefined,
    models: Object.keys(models),
    browser: browser !== undefined,
    web_search: webSearch !== undefined,
    mcp: mcp !== undefined,
    console: console !== undefined,
  };
}
