/** The servers that runs call: they outlive all processes and record the order of requests. */
import { openServer } from "../../support/servers/http-server.ts";
import { openModelServer } from "../../support/servers/model-server.ts";
import { answers } from "./answers.ts";
import { conversation } from "./conversation.ts";
import type { Outside } from "./outside.ts";

export interface World {
  readonly outside: Outside;
  /** The idempotency keys of requests in order. */
  readonly keys: readonly string[];
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const keys: string[] = [];
  const answer = answers();
  const server = await openServer((received) => {
    // The URL of a web page contains its key.
    const key = new URL(received.path, "http://server").searchParams.get("key") ?? received.key;
    keys.push(key);
    return answer({ ...received, key });
  });
  const model = await openModelServer();
  model.replyWith((request) => {
    keys.push(String(request.headers["idempotency-key"]));
    model.requests.length = 0; // thousands of conversations
    return conversation(request);
  });
  return {
    outside: { url: server.url, modelUrl: model.url, allow: server.net.allow },
    keys,
    async close() {
      await server.close();
      await model.close();
    },
  };
}
