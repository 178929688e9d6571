/** A stand-in for a provider with OpenAI's interface: a server on loopback that gives scripted answers. */
import { once } from "node:events";
import { createServer } from "node:http";

/** @param {object[]} messages One for each request, in order. */
export async function openModelServer(messages) {
  let requests = 0;
  const server = createServer(async (request, response) => {
    for await (const _ of request); // drain the request
    const message = { role: "assistant", content: null, ...messages[requests++] };
    const finish_reason = message.tool_calls === undefined ? "stop" : "tool_calls";
    const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
    const choices = [{ index: 0, message, finish_reason }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ id: `chat_${requests}`, created: 0, model: "small", choices, usage }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseURL: `http://127.0.0.1:${server.address().port}/v1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const toolCall = (name, input) => ({
  tool_calls: [{ id: "call_1", type: "function", function: { name, arguments: JSON.stringify(input) } }],
});
