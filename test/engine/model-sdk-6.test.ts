/** The features of a model step reach the providers with version 6 of the AI SDK, too. */

import { createAnthropic } from "ai-sdk-anthropic3";
import { createOpenAI } from "ai-sdk-openai3";
import * as sdk from "ai6";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAiSdkModels } from "../../adapters/models/ai-sdk.ts";
import type { LanguageModelProvider, ModelCall } from "../../src/ports/models.ts";
import { openModelServer } from "../support/servers/model-server.ts";

const CALL: ModelCall = {
  provider: "openai",
  model: "gpt-5",
  messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
  tools: [],
  tools_mode: "auto",
  tools_parallel: true,
  json: null,
  temperature: undefined,
  max_tokens: 500,
  reasoning: undefined,
  cache: false,
  idempotencyKey: "key",
  signal: new AbortController().signal,
};

let server: Awaited<ReturnType<typeof openModelServer>>;
let answer: (call: Partial<ModelCall>) => Promise<unknown>;
beforeAll(async () => {
  server = await openModelServer();
  const given = { apiKey: "test", baseURL: `${server.url}/v1` };
  const openai = createOpenAI(given);
  const providers = { openai, chat: openai.chat, anthropic: createAnthropic(given) };
  const load = async () => sdk as unknown as typeof import("ai"); // the functions that both versions have
  const models = await createAiSdkModels(providers as Record<string, LanguageModelProvider>, load);
  answer = (call) => models.answer({ ...CALL, ...call });
});
afterAll(() => server.close());

/** The body that the provider sends. */
async function sent(call: Partial<ModelCall>) {
  server.replyWith([{ text: "yes" }]);
  expect(await answer(call)).toMatchObject({ text: "yes" });
  return server.requests[0]?.body as unknown as Record<string, unknown>;
}

describe("version 6 of the AI SDK", () => {
  it.each(["low", "medium", "high"] as const)("sends the reasoning effort %s", async (reasoning) => {
    expect(await sent({ reasoning })).toMatchObject({ reasoning: { effort: reasoning } });
    expect(await sent({ provider: "chat", reasoning })).toMatchObject({ reasoning_effort: reasoning });
    expect(await sent({ provider: "anthropic", model: "claude-opus-4-8", reasoning })).toMatchObject({
      ...{ thinking: { type: "adaptive" }, output_config: { effort: reasoning } },
    });
  });

  it("sends a budget to models without levels, in addition to max_tokens", async () => {
    for (const model of ["claude-sonnet-4-5", "claude-opus-4-20250514"]) {
      expect(await sent({ provider: "anthropic", model, reasoning: "low" })).toMatchObject({
        ...{ thinking: { type: "enabled", budget_tokens: 2_048 }, max_tokens: 2_548 },
      });
    }
  });

  it("sends no reasoning unless it is requested", async () => {
    expect(await sent({})).not.toHaveProperty("reasoning");
    expect(await sent({ provider: "anthropic", model: "claude-sonnet-4-5" })).not.toHaveProperty("thinking");
  });

  it("requests prompt caching", async () => {
    const model = "claude-sonnet-4-5";
    expect(await sent({ provider: "anthropic", model, cache: true })).toMatchObject({
      cache_control: { type: "ephemeral" },
    });
    expect(await sent({ provider: "anthropic", model })).not.toHaveProperty("cache_control");
  });
});
