/** What runs of the matrix reach outside of their process: a server and a model that count, and how a process is told of them. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as v from "valibot";
import { defineService, type Options } from "../../../src/index.ts";

export interface Outside {
  /** Of the server that counts. */
  readonly url: string;
  /** Of the model. */
  readonly modelUrl: string;
  /** Addresses that may be called. */
  readonly allow: readonly string[];
}

/** @param fetch Takes the place of every way out. */
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
          if (!answer.ok) throw new Error(`The world answered ${answer.status}.`);
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
