/** A loopback server with the APIs of OpenAI (both) and Anthropic, whose responses a test scripts. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

// The SDK would warn about every unknown model.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The response to received request. */
export interface ScriptedReply {
  readonly text?: string;
  readonly calls?: readonly Call[];
  /** A raw response, such as an error or a malformed received. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How much of the response is sent before the connection is dropped. */
  readonly cutAfter?: number;
  /** The response is sent when this settles. */
  readonly when?: Promise<unknown>;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Body;
  /** Whether the client disconnected before it had the response. */
  isCut: boolean;
}

/** The fields of requests that tests read, in all formats. */
export interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
  readonly tool_choice?: unknown;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly max_output_tokens?: number;
  readonly reasoning?: unknown;
  readonly cache_control?: unknown;
  readonly parallel_tool_calls?: boolean;
}

type Script = (request: ReceivedRequest, nth: number) => ScriptedReply;

export const KEY = "sk-secret-0123456789abcdef";
const USAGE = { input: 7, output: 5, cached: 2, reasoning: 1 };

export async function openModelServer() {
  const requests: ReceivedRequest[] = [];
  let script: Script = () => ({ text: "hello" });

  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = JSON.parse(Buffer.concat(pieces).toString());
    const received: ReceivedRequest = { path: request.url ?? "", headers: request.headers, body, isCut: false };
    response.on("close", () => {
      received.isCut = !response.writableFinished;
    });
    requests.push(received);
    const reply = script(received, requests.length);
    await reply.when;
    send(response, received, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const openai = createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` });
  const local = createOpenAICompatible({ name: "local", apiKey: KEY, baseURL: `${url}/v1` });

  return {
    url,
    requests,
    /** The option `models` of a host. */
    models: { openai, chat: openai.chat, anthropic: createAnthropic({ apiKey: KEY, baseURL: `${url}/v1` }), local },
    replyWith(next: Script | readonly ScriptedReply[]): void {
      requests.length = 0;
      script =
        typeof next === "function" ? next : (_, nth) => next[nth - 1] ?? { status: 500, body: "no more is scripted" };
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, { path, body }: ReceivedRequest, reply: ScriptedReply): void {
  if (reply.status !== undefined || reply.body !== undefined) {
    const type = { "content-type": "application/json" };
    response.writeHead(reply.status ?? 200, { ...type, ...reply.headers }).end(reply.body ?? "{}");
    return;
  }
  const format = path.endsWith("/messages") ? ANTHROPIC : path.endsWith("/responses") ? RESPONSES : CHAT;
  const text = body.stream === true ? format.stream(reply) : JSON.stringify(format.whole(reply));
  response.writeHead(200, { "content-type": body.stream === true ? "text/event-stream" : "application/json" });
  if (reply.cutAfter === undefined) response.end(text);
  else response.write(text.slice(0, reply.cutAfter), () => response.destroy());
}

interface Format {
  whole(reply: ScriptedReply): unknown;
  stream(reply: ScriptedReply): string;
}

/** Splits a text into pieces, as models stream it. */
const pieces = (text: string) => text.match(/.{1,4}/gs) ?? [];
const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const named = (event: { type: string }) => `event: ${event.type}\n${data(event)}`;

const CHAT: Format = {
  whole: ({ text, calls = [] }) => ({
    ...chunk("chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text ?? null,
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(chatCall) }),
        },
        finish_reason: calls.length === 0 ? "stop" : "tool_calls",
      },
    ],
    usage: chatUsage,
  }),
  stream({ text = "", calls = [] }) {
    const delta = (delta: object, finish_reason: string | null = null) =>
      data({ ...chunk("chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason }] });
    return [
      delta({ role: "assistant", content: "" }),
      ...pieces(text).map((content) => delta({ content })),
      ...calls.map((call, index) => delta({ tool_calls: [{ index, ...chatCall(call) }] })),
      delta({}, calls.length === 0 ? "stop" : "tool_calls"),
      data({ ...chunk("chat.completion.chunk"), choices: [], usage: chatUsage }),
      "data: [DONE]\n\n",
    ].join("");
  },
};
const chunk = (object: string) => ({ id: "chat_1", object, created: 1, model: "m" });
const chatCall = ({ id, name, input }: Call) => ({
  id,
  type: "function",
  function: { name, arguments: argumentsOf(input) },
});
const argumentsOf = (input: unknown) => (typeof input === "string" ? input : JSON.stringify(input));
const chatUsage = {
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
  prompt_tokens_details: { cached_tokens: USAGE.cached },
  completion_tokens_details: { reasoning_tokens: USAGE.reasoning },
  cost: 0.25,
};

const RESPONSES: Format = {
  whole: (reply) => ({ ...response, status: "completed", output: items(reply), usage: responsesUsage }),
  stream(reply) {
    let sequence_number = 0;
    const event = (type: string, more: object) => data({ type, sequence_number: sequence_number++, ...more });
    return [
      event("response.created", { response: { ...response, status: "in_progress", output: [], usage: null } }),
      ...items(reply).flatMap((item, output_index) => {
        const at = { output_index, item_id: item.id };
        const deltas =
          item.type === "message"
            ? pieces(reply.text ?? "").map((delta) =>
                event("response.output_text.delta", { ...at, content_index: 0, delta, logprobs: [] }),
              )
            : pieces(item.arguments).map((delta) => event("response.function_call_arguments.delta", { ...at, delta }));
        const started = item.type === "message" ? { ...item, content: [] } : { ...item, arguments: "" };
        return [
          event("response.output_item.added", { output_index, item: started }),
          ...deltas,
          event("response.output_item.done", { output_index, item }),
        ];
      }),
      event("response.completed", {
        response: { ...response, status: "completed", output: items(reply), usage: responsesUsage },
      }),
    ].join("");
  },
};
const response = { id: "resp_1", object: "response", created_at: 1, model: "m", incomplete_details: null };
const responsesUsage = {
  input_tokens: USAGE.input,
  output_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
  input_tokens_details: { cached_tokens: USAGE.cached },
  output_tokens_details: { reasoning_tokens: USAGE.reasoning },
};
const items = ({ text, calls = [] }: ScriptedReply) => [
  ...(text === undefined
    ? []
    : [
        {
          type: "message" as const,
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ]),
  ...calls.map(({ id, name, input }) => ({
    type: "function_call" as const,
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: argumentsOf(input),
    status: "completed",
  })),
];

const ANTHROPIC: Format = {
  whole: (reply) => ({ ...message, content: blocks(reply), stop_reason: stopReason(reply), usage: anthropicUsage }),
  stream: (reply) =>
    [
      named({ type: "message_start", message: { ...message, content: [], usage: anthropicUsage } } as { type: string }),
      ...blocks(reply).flatMap((block, index) => {
        const [started, deltas] =
          block.type === "text"
            ? [{ ...block, text: "" }, pieces(block.text).map((text) => ({ type: "text_delta", text }))]
            : [
                { ...block, input: {} },
                pieces(argumentsOf(block.input)).map((partial_json) => ({ type: "input_json_delta", partial_json })),
              ];
        return [
          { type: "content_block_start", index, content_block: started },
          ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
          { type: "content_block_stop", index },
        ].map(named);
      }),
      named({
        type: "message_delta",
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: anthropicUsage,
      } as {
        type: string;
      }),
      named({ type: "message_stop" }),
    ].join(""),
};
const message = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_sequence: null, stop_reason: null };
const stopReason = ({ calls = [] }: ScriptedReply) => (calls.length === 0 ? "end_turn" : "tool_use");
const anthropicUsage = {
  input_tokens: USAGE.input - USAGE.cached,
  cache_read_input_tokens: USAGE.cached,
  output_tokens: USAGE.output,
};
const blocks = ({ text, calls = [] }: ScriptedReply) => [
  ...(text === undefined ? [] : [{ type: "text" as const, text }]),
  ...calls.map(({ id, name, input }) => ({ type: "tool_use" as const, id, name, input })),
];
