/** The server and the model that runs of the matrix call, and the options with which a process reaches them. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as v from "valibot";
import { defineService, type Options } from "../../../src/index.ts";

export interface Outside {
  /** The URL of the server that counts requests. */
  readonly url: string;
  /** The URL of the model. */
  readonly modelUrl: string;
  /** Addresses that may be called. */
  readonly allow: readonly string[];
}

/** @param fetch Replaces all network access. */
export function reaching({ url, modelUrl, allow }: Outside, fetch?: () => Promise<Response>) {
  const own = fetch === undefined ? {} : { fetch };
  const world = defineService({
    name: "world",
    actions: {
      touch: {
        input: v.object({ what: v.string() }),
        output: v.object({ touched: v.string() }),
        async run({ what }, { fetch, idempotencyKey, signal }) {
          const headers = { "idempotency-key": idempotencyKey };
          const answer = await fetch(`${url}/touch`, { method: "POST", headers, body: what, signal });
          if (!answer.ok) throw new Error(`The server responded with ${answer.status}.`);
          return { touched: what };
        },
      },
    },
  });
  return {
    services: [world],
    models: { local: createOpenAICompatible({ name: "local", apiKey: "none", baseURL: `${modelUrl}/v1`, ...own }) },
    net: { allow: [...allow] },
    ...own,
  } satisfies Options;
}
