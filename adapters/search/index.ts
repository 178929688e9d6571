/** Web search providers for `createStepwell({ webSearch })`. */
export { type BraveOptions, brave } from "./brave.ts";
export type { ProviderOptions } from "./request.ts";
export { type SearxngOptions, searxng } from "./searxng.ts";
export { type TavilyOptions, tavily } from "./tavily.ts";
