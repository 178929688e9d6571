/** The route of the stream of an app. */
import type { Keys } from "../apps/keys.ts";
import { watchCaller } from "../calls/watch-caller.ts";
import { rawRoute } from "../http/route.ts";
import { eventStream, openStream } from "../runs/event-stream.ts";
import { AppChange } from "./app-change.ts";
import type { AppStream } from "./app-stream.ts";

export interface Slices {
  readonly appStream: AppStream;
  readonly keys: Pick<Keys, "watch">;
}

export const appStreamRoutes = {
  stream: rawRoute({
    method: "GET",
    path: "/apps/{app_id}/stream",
    access: "app",
    scope: "runs:read",
    summary:
      "Stream what changes in an app as server-sent events, so that lists stay up to date without polling. Of each kind of resource, the key needs the read scope. Nothing is sent again: read the lists after `stream.opened`, and again after `stream.reset`. The stream closes when the key is revoked or expires, or the app is deleted.",
    described: { request: {}, answers: { 200: { body: { "text/event-stream": AppChange } } } },
    respond: ({ appStream, keys }: Slices, _request, { caller, params, signal }) =>
      openStream(signal, async (controller) => {
        // The stream just ends when access ends. A client that reconnects gets 401 or 404.
        await watchCaller(keys, caller, controller);
        return eventStream(appStream.follow(params.app_id, caller, controller), controller, "follows an app");
      }),
  }),
};
