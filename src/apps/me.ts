/** What a client with an API key wants to know first: where it is, what it may do, and what the host has configured. */
import * as v from "valibot";
import type { Caller } from "../calls/caller.ts";
import { StepwellError } from "../errors.ts";
import { list } from "../schema.ts";
import { App } from "./app.ts";
import type { Apps } from "./apps.ts";
import { Key } from "./key.ts";
import type { Keys } from "./keys.ts";

export const Me = v.object({
  /** The app of the key. */
  app: v.pick(App, ["id", "name", "color", "verified"]),
  /** The key of the request or of its session; null for a session without a key. */
  key: v.nullable(v.pick(Key, ["id", "name", "scopes", "expires_at"])),
  /** Which options the host has set. A feature without its option responds with 501. */
  configured: v.object({
    /** Whether credentials and webhook secrets can be stored (`secret`). */
    secret: v.boolean(),
    /** Names of the providers for model steps (`models`). */
    models: list(v.string()),
    /** Whether browser steps can run (`browser`). */
    browser: v.boolean(),
    /** Whether the built-in web search can be used (`webSearch`). */
    web_search: v.boolean(),
    /** Whether agents can use workflows as tools (`mcp`). */
    mcp: v.boolean(),
    /** Whether the console is served (`console`). */
    console: v.boolean(),
  }),
});
/** The app and the key of a request or session, and what the host has configured. */
export interface Me extends Readonly<v.InferOutput<typeof Me>> {}

/** @throws StepwellError `forbidden` for a caller that belongs to no app */
export type GetMe = (caller: Caller) => Promise<Me>;

export function createGetMe(parts: {
  apps: Pick<Apps, "get">;
  keys: Pick<Keys, "get">;
  configured: Me["configured"];
}): GetMe {
  const { apps, keys, configured } = parts;
  return async (caller) => {
    if (!("app_id" in caller))
      throw new StepwellError("forbidden", "Use an app's key: the admin key belongs to no app.");
    const keyOf = async () => (caller.kind === "key" ? keys.get(caller.app_id, caller.id) : null);
    const [app, key] = await Promise.all([apps.get(caller.app_id), keyOf()]);
    const { id, name, color, verified } = app;
    return {
      app: { id, name, color, verified },
      key: key && { id: key.id, name: key.name, scopes: key.scopes, expires_at: key.expires_at },
      configured,
    };
  };
}
