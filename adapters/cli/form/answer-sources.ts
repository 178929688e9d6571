/** Gives forms what they need of a server: uploads and connections. */
import { type CliClient, OWN_APP } from "../server/open-client.ts";
import { isTerminal, printable, printMessage, type Shell } from "../terminal/shell.ts";
import { openAsk } from "./ask.ts";
import type { AnswerSources } from "./field-answers.ts";
import { openContent } from "./open-content.ts";

export async function openSources(client: CliClient, shell: Shell): Promise<AnswerSources> {
  const [{ schemaOf }, { safeParse }] = await Promise.all([
    import("../../../src/workflows/input/field-value.ts"),
    import("valibot"),
  ]);
  return {
    ask: await openAsk(shell),
    problem: (field, text) => safeParse(schemaOf(field), text).issues?.[0].message,
    upload: (path) => uploadFile(client, path, shell),
    async connections(services) {
      const found: { value: string; label: string }[] = [];
      for await (const { id, name, service } of client.connections.listAll(OWN_APP)) {
        if (services?.includes(service) === false) continue;
        found.push({ value: id, label: printable(`${name} (${service})`) });
      }
      return found;
    },
  };
}

/** Uploads a file of this computer and returns its id. Shows the progress of long uploads. */
export async function uploadFile(client: CliClient, path: string, shell: Shell): Promise<string> {
  const { name, body } = await openContent(path, shell);
  const isShown = isTerminal(shell.messages);
  const { id } = await client.files.create(OWN_APP, {
    name,
    body,
    onProgress({ sent, total }) {
      if (isShown) shell.messages.write(`\r\u001b[Kuploading ${printable(name)}: ${percent(sent, total)}`);
    },
  });
  if (isShown) shell.messages.write("\r\u001b[K");
  printMessage(shell, `uploaded ${name} as ${id}`);
  return id;
}

const percent = (sent: number, total: number | null) =>
  total === null || total === 0 ? `${sent} bytes` : `${Math.floor((sent / total) * 100)} %`;
