/** The process of the server of `stepwell dev`. A restart is a new process, so that every module is loaded anew. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isStepwellError, systemErrorCode } from "../../../src/errors.ts";
import { createStepwell, type Options, type Stepwell } from "../../../src/index.ts";
import { webConsole } from "../../console/web-console.ts";
import { toNodeHandler } from "../../http/node.ts";
import fsDriver from "../../storage/fs/fs.ts";
import { DATA_FOLDER } from "../server/dev-file.ts";
import { CommandError } from "../terminal/failure.ts";
import { namedFilesIn } from "../workflow-files/named-files.ts";
import { respondWithAddresses } from "./addresses.ts";
import { type FromServer, isToServer, type ServerSettings } from "./protocol.ts";
import { createStartLogger } from "./start-logger.ts";

const startLogger = createStartLogger();
let stop: () => Promise<void> = async () => undefined;
let createConsoleUrl: () => Promise<string | null> = async () => null;

process.on("message", (message) => {
  if (!isToServer(message)) return;
  if (message.kind === "stop") void exit(0);
  else if (message.kind === "console") void createConsoleUrl().then((url) => send({ kind: "console", url }));
  else void start(message.settings).catch(fail);
});
// Ctrl+C reaches the whole group of processes: the parent decides when this one ends.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => void exit(0));
// The parent is gone.
process.on("disconnect", () => void exit(0));

async function exit(code: number): Promise<void> {
  await stop();
  process.exit(code);
}

function send(message: FromServer): void {
  process.send?.(message);
}

async function start(settings: ServerSettings): Promise<void> {
  const { folder, port, host, secret, adminKey, appId, key } = settings;
  const { loadConfig } = await import("./load-config.ts");
  const { file, options } = await loadConfig(folder);
  send({ kind: "loaded" });
  const server = createServer();
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address() as AddressInfo; // it listens on a port
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
  const all: Options = {
    secret,
    storage: { entities: fsDriver({ base: join(folder, DATA_FOLDER) }) },
    logger: startLogger.logger,
    console: webConsole(),
    ...options,
    adminKey: options.adminKey ?? adminKey,
    baseUrl: url,
  };
  let app_id = "";
  const workflowFiles = async () => (await namedFilesIn(folder)).map((file) => ({ ...file, app_id }));
  const { console: own } = all;
  const stepwell = createStepwell(own === undefined ? all : { ...all, console: { ...own, workflowFiles } });
  const handle = toNodeHandler(stepwell);
  server.on("request", (request, response) => {
    if (request.url === "/" && request.method === "GET") respondWithAddresses(request, response, url);
    else handle(request, response);
  });
  stop = async () => {
    server.close();
    server.closeAllConnections();
    await stepwell.close();
  };
  app_id = await findApp(stepwell, appId);
  const ownKey = await findKey(stepwell, { url, app_id, key });
  const admin_key = all.adminKey ?? adminKey;
  createConsoleUrl = () => consoleUrl(stepwell, { url, app_id, hasConsole: all.console !== undefined });
  const console = await createConsoleUrl();
  startLogger.hasStarted();
  send({ kind: "listening", url, port: address.port, app_id, key: ownKey, admin_key, config: file, console });
}

/** Seconds in which somebody finds the address in the terminal. */
const SIGN_IN_SECONDS = 3_600;

/** Others, who could reach the server, would be signed in if they were first. */
async function consoleUrl(
  { console }: Stepwell,
  { url, app_id, hasConsole }: { url: string; app_id: string; hasConsole: boolean },
): Promise<string | null> {
  if (!hasConsole) return null;
  if (!/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname)) return `${url}/console/`;
  const created = await console.createSignIn({ app_id, admin: true, expires_in: SIGN_IN_SECONDS });
  return created.url;
}

/** The app of an earlier start, else the first one of the folder, else a new one. */
async function findApp(stepwell: Stepwell, known: string | null): Promise<string> {
  const apps: string[] = [];
  for await (const { id } of stepwell.apps.listAll()) apps.push(id);
  const found = apps.find((id) => id === known) ?? apps.at(-1);
  return found ?? (await stepwell.apps.create({ name: "Development" })).id;
}

interface Known {
  readonly url: string;
  readonly app_id: string;
  readonly key: string | null;
}

async function findKey(stepwell: Stepwell, { url, app_id, key }: Known): Promise<string> {
  if (key !== null) {
    const request = new Request(`${url}/me`, { headers: { authorization: `Bearer ${key}` } });
    if ((await stepwell.fetch(request)).ok) return key;
  }
  return (await stepwell.keys.create(app_id, { name: "stepwell dev" })).key;
}

async function fail(error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  send({ kind: "failed", message, hint: hintOf(error) });
  await exit(1);
}

function hintOf(error: unknown): string | null {
  if (systemErrorCode(error) === "EADDRINUSE")
    return "Pass another port: stepwell dev --port 3001 (0 for any free one).";
  if (isStepwellError(error, "unavailable")) {
    return `Only one process can use ${DATA_FOLDER}. Stop the other one, or check the folder: stepwell doctor`;
  }
  return error instanceof CommandError ? (error.hint ?? null) : null;
}
