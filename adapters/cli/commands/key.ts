/** `stepwell key`: the API keys of an app. */
import type { KeyCreate } from "../../../src/index.ts";
import { type JsonObject, omitUndefined } from "../../../src/json.ts";
import { type Command, EXIT, type Given, SERVER_ARGS } from "../command.ts";
import { withAdminHint } from "../server/admin-hint.ts";
import { readDevFile } from "../server/dev-file.ts";
import { findServer } from "../server/find-server.ts";
import { type CliClient, shellClient } from "../server/open-client.ts";
import { serverChecked } from "../server/server-checked.ts";
import { type ExitCode, refused, wrongUse } from "../terminal/failure.ts";
import { printJson, printLine, printMessage, type Shell } from "../terminal/shell.ts";
import { similarTo } from "../terminal/similar.ts";
import { columns } from "../terminal/table.ts";

const { url, json } = SERVER_ARGS;
const ACTIONS: readonly string[] = ["create", "list", "remove"];

export const command: Command = {
  description: "Create, list or remove API keys of an app; needs the admin key of the server",
  args: {
    action: { type: "positional", description: "create, list or remove" },
    id: { type: "positional", required: false, description: "Key to remove" },
    name: { type: "string", alias: "n", valueHint: "text", description: "Name of the new key (default: stepwell key)" },
    scopes: {
      type: "string",
      valueHint: "list",
      description: "Scopes of the new key, such as runs:read,runs:write (default: all)",
    },
    expires: { type: "string", valueHint: "time", description: "When the new key expires, ISO 8601 (default: never)" },
    "new-app": { type: "string", valueHint: "text", description: "Create the key for a new app with this name" },
    app: { type: "string", valueHint: "id", description: "App (default: that of `stepwell dev`, or the only one)" },
    url,
    "admin-key": {
      type: "string",
      valueHint: "key",
      description: "Admin key (STEPWELL_ADMIN_KEY; else that of `stepwell dev`)",
    },
    json,
  },
  examples: [
    "stepwell key create --name CI --scopes workflows:write",
    "stepwell key list",
    "stepwell key remove key_01m7…",
  ],
  async run(given, shell) {
    const action = given.text("action") ?? "";
    const id = given.text("id");
    const settings = ["name", "scopes", "expires", "new-app"].filter((name) => given.text(name) !== undefined);
    if (!ACTIONS.includes(action)) {
      const meant = similarTo(action, ACTIONS);
      const hint = "Type: stepwell key create, list or remove.";
      const problem = `There is no action ${JSON.stringify(action)}.`;
      throw wrongUse(problem, meant === undefined ? hint : `Did you mean ${meant}? ${hint}`);
    }
    if (action !== "create" && settings.length > 0) throw wrongUse(`--${settings[0]} is for: stepwell key create.`);
    if (given.text("app") !== undefined && given.text("new-app") !== undefined) {
      throw wrongUse("--app cannot be combined with --new-app.");
    }
    if (action === "remove" ? id === undefined : id !== undefined) {
      throw wrongUse(
        action === "remove" ? "Name the key to remove." : `${action} takes no id.`,
        "`stepwell key list` shows the ids.",
      );
    }
    const server = await findServer(given, shell, "admin");
    const client = shellClient(server, shell);
    return withAdminHint(() => act(client, action, { given, id, address: server.url }, shell));
  },
};

interface Wanted {
  readonly given: Given;
  /** Key to remove. */
  readonly id: string | undefined;
  /** Of the server. */
  readonly address: string;
}

async function act(client: CliClient, action: string, { given, id, address }: Wanted, shell: Shell): Promise<ExitCode> {
  const isJson = given.flag("json");
  const app = await appOf(client, given, address, shell);
  if (action === "list") return list(client, app, shell, isJson);
  if (id !== undefined) {
    await client.keys.remove(app, id);
    if (isJson) printJson(shell, { id, removed: true });
    else printMessage(shell, `Removed ${id}.`);
    return EXIT.ok;
  }
  const scopes = given
    .text("scopes")
    ?.split(",")
    .map((scope) => scope.trim());
  const fields: JsonObject = {
    name: given.text("name") ?? "stepwell key",
    ...omitUndefined({ scopes, expires_at: given.text("expires") }),
  };
  const created = await client.keys.create(app, serverChecked<KeyCreate>(fields));
  if (isJson) printJson(shell, created);
  else {
    printLine(shell, created.key);
    printMessage(shell, `${created.id} for ${app}. Only this once is the key shown.`);
  }
  return EXIT.ok;
}

async function appOf(client: CliClient, given: Given, address: string, shell: Shell): Promise<string> {
  const name = given.text("new-app");
  if (name !== undefined) return (await client.apps.create({ name })).id;
  return given.text("app") ?? defaultApp(client, address, shell);
}

async function list(client: CliClient, app: string, shell: Shell, isJson: boolean) {
  const keys = [];
  for await (const key of client.keys.listAll(app)) keys.push(key);
  if (isJson) printJson(shell, keys);
  else {
    const rows = keys.map(({ id, name, scopes, expires_at }) => [
      id,
      name,
      scopes?.join(",") ?? "all",
      expires_at ?? "never",
    ]);
    printLine(shell, columns([["ID", "NAME", "SCOPES", "EXPIRES"], ...rows]));
  }
  return EXIT.ok;
}

async function defaultApp(client: CliClient, address: string, { cwd }: Shell): Promise<string> {
  const dev = await readDevFile(cwd);
  if (dev?.app_id != null && dev.url === address) return dev.app_id;
  const apps = [];
  for await (const { id, name } of client.apps.listAll()) apps.push({ id, name });
  const [first] = apps;
  if (first === undefined)
    throw refused("The server has no apps.", "Create one with its key: stepwell key create --new-app NAME");
  if (apps.length === 1) return first.id;
  throw wrongUse(
    `The server has ${apps.length} apps.`,
    `Name one with --app: ${apps
      .slice(0, 10)
      .map(({ id, name }) => `${id} (${name})`)
      .join(", ")}.`,
  );
}
