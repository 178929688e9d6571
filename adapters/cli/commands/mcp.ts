/** `stepwell mcp`: the tools of an app for an agent that starts this command. */
import { type Command, EXIT, SERVER_ARGS } from "../command.ts";
import { readVersion } from "../package-version.ts";
import { openClient, PATIENT_RETRIES } from "../server/open-client.ts";

const { url, key } = SERVER_ARGS;

export const command: Command = {
  description: "Serve the workflows that are tools of an app over standard input and output (MCP)",
  args: {
    name: { type: "string", alias: "n", valueHint: "text", description: "Name that agents show (default: Stepwell)" },
    url,
    key,
  },
  examples: ["stepwell mcp", "stepwell mcp --url https://example.com/automation --key $KEY"],
  /** Standard output has the messages of the protocol only. Everything else goes to standard error. */
  async run(given, shell) {
    const client = await openClient(given, shell, { retries: PATIENT_RETRIES });
    // Fails at once for a wrong address or key, which an agent could only show as tools that fail.
    const { app } = await (await openClient(given, shell)).me();
    const { serveMcpStdio } = await import("../../mcp/index.ts");
    // An interruption ends it as the end of its input does: runs of open calls are canceled.
    shell.signal.addEventListener("abort", () => shell.input.destroy());
    await serveMcpStdio(client, app.id, { name: given.text("name") ?? app.name, version: await readVersion() });
    return EXIT.ok;
  },
};
