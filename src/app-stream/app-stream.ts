/** The stream of an app, for one reader. */
import type { Apps } from "../apps/apps.ts";
import { type Caller, hasScope } from "../calls/caller.ts";
import type { AppChange } from "./app-change.ts";
import { scopeOf } from "./app-change.ts";
import type { ChangeFeed } from "./change-feed.ts";

export interface AppStream {
  /**
   * Yields the changes that the caller may read. Ends when the controller is aborted, which it is when the app is deleted; and when
   * the instance is closed.
   */
  follow(appId: string, caller: Caller, controller: AbortController): AsyncGenerator<AppChange, void>;
}

export function createAppStream(parts: { apps: Pick<Apps, "watch">; feed: Pick<ChangeFeed, "follow"> }): AppStream {
  const { apps, feed } = parts;
  return {
    async *follow(appId, caller, controller) {
      try {
        await apps.watch(appId, controller);
        for await (const change of feed.follow(appId, controller.signal)) {
          const scope = scopeOf(change);
          if (scope === undefined || hasScope(caller, scope)) yield change;
        }
      } finally {
        controller.abort();
      }
    },
  };
}
