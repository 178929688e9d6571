/** `stepwell dev` while it runs: the server, the files that it watches, and the keys that a person presses. */
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDevFile } from "../server/dev-file.ts";
import { clientOf } from "../server/open-client.ts";
import { EXIT, type ExitCode } from "../terminal/failure.ts";
import type { Shell } from "../terminal/shell.ts";
import { SAMPLE_FILE, sampleText } from "../workflow-files/sample.ts";
import { WORKFLOWS_FOLDER } from "../workflow-files/workflow-file.ts";
import { CONFIG_FILES, findConfig } from "./config-files.ts";
import { createFolderDeployment, DEV_USER } from "./deploy-folder.ts";
import { listenToKeys } from "./key-presses.ts";
import { openBrowser } from "./open-browser.ts";
import { openDevFile } from "./open-dev-file.ts";
import { KEYS, type Reporter } from "./reporter.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { watchFolder } from "./watch-folder.ts";

export interface DevSettings {
  readonly entry: URL;
  readonly port: number;
  readonly host: string;
  readonly hasSample: boolean;
  /** Whether the console opens in a browser, if a person sits in front of the terminal. */
  readonly opensConsole: boolean;
  readonly isJson: boolean;
}

/** Folder of modules that the config imports. A change restarts the server. */
const SERVICES = "services";

export async function runDev(settings: DevSettings, shell: Shell, reporter: Reporter): Promise<ExitCode> {
  const folder = shell.cwd;
  const workflows = join(folder, WORKFLOWS_FOLDER);
  if (settings.hasSample) await writeSample(workflows, reporter);
  await mkdir(workflows, { recursive: true });

  let dev = await openDevFile(folder, reporter);
  const ending = new AbortController();
  const signal = AbortSignal.any([shell.signal, ending.signal]);
  // Watched before the server starts, so that no change is missed while it does.
  let isStale = false;
  let onModulesChanged = async () => {
    isStale = true;
  };
  const isConfig = (name: string) => CONFIG_FILES.some((one) => one === name);
  const watching = [watchFolder(folder, isConfig, () => onModulesChanged())];
  if (existsSync(join(folder, SERVICES))) {
    const options = { recursive: true };
    watching.push(
      watchFolder(
        join(folder, SERVICES),
        () => true,
        () => onModulesChanged(),
        options,
      ),
    );
  }
  const first = await start(false).catch((error: unknown) => {
    for (const one of watching) one.close();
    if (signal.aborted) return null;
    throw error;
  });
  if (first === null) return EXIT.ok;
  let server = first;
  const deployment = createFolderDeployment(shell, reporter);
  const deploying = watchFolder(
    workflows,
    (name) => name.endsWith(".json"),
    () => deployment.deploy(clientOf(server.listening, { signal: shell.signal, user: DEV_USER })),
  );
  watching.push(deploying);
  await deploying.check();

  async function start(isRestarted: boolean): Promise<ServerProcess> {
    const { secret, admin_key: adminKey, app_id: appId, key } = dev;
    const port = isRestarted ? server.listening.port : settings.port;
    const given = { folder, port, host: settings.host, secret, adminKey, appId, key };
    const onSlow = () => void findConfig(folder).then((file) => file !== null && reporter.loading(file));
    const started = await startServer(given, { entry: settings.entry, isQuiet: settings.isJson, signal, onSlow });
    const { url, app_id, key: own, admin_key } = started.listening;
    dev = { ...dev, url, app_id, key: own, admin_key };
    await writeDevFile(folder, dev);
    reporter.listening(started.listening, isRestarted);
    return started;
  }

  return new Promise((resolve, reject) => {
    let restarting: Promise<void> | null = null;
    let isEnding = false;

    async function end(code: ExitCode): Promise<void> {
      if (isEnding) return;
      isEnding = true;
      ending.abort();
      await restarting;
      keys.close();
      for (const one of watching) one.close();
      await server.stop();
      await writeDevFile(folder, { ...dev, url: null });
      resolve(code);
    }

    function follow({ ended }: ServerProcess): void {
      void ended.then((how) => {
        if (!isEnding) keys.restore();
        if (restarting !== null || isEnding) return;
        reporter.note(`The server ${how}.${shell.isInteractive ? " Press r to start it again." : ""}`);
        if (!shell.isInteractive) void end(EXIT.refused).catch(reject);
      });
    }

    async function restart(): Promise<void> {
      if (isEnding) return;
      restarting ??= startAgain().finally(() => {
        restarting = null;
      });
      await restarting;
    }

    async function startAgain(): Promise<void> {
      try {
        await server.stop();
        server = await start(true);
        follow(server);
        deployment.retryFailed();
        await deploying.check();
      } catch (error) {
        if (isEnding) return;
        keys.restore();
        reporter.invalid("The server", error);
        reporter.note("Correct it, and the server starts again.");
      }
    }

    async function createKey(): Promise<void> {
      const admin = clientOf({ url: server.listening.url, key: dev.admin_key });
      const { key } = await admin.keys.create(server.listening.app_id, { name: "stepwell dev" });
      dev = { ...dev, key };
      await writeDevFile(folder, dev);
      reporter.note(`New key: ${key}`);
    }

    const keys = listenToKeys(shell, {
      r: () => restart(),
      k: () => createKey().catch((error: unknown) => reporter.invalid("The key", error)),
      q: () => end(EXIT.ok),
      // Each address opens once.
      o: async () => openConsole(await server.createConsoleUrl(), shell, reporter),
    });
    if (shell.isInteractive) reporter.note(`\n  ${KEYS}`);
    if (shell.isInteractive && settings.opensConsole) void openConsole(server.listening.console, shell, reporter);
    shell.signal.addEventListener("abort", () => void end(EXIT.ok).catch(reject));
    if (shell.signal.aborted) void end(EXIT.ok).catch(reject);
    follow(server);
    onModulesChanged = restart;
    if (isStale) void restart();
  });
}

async function openConsole(url: string | null, { env }: Shell, reporter: Reporter): Promise<void> {
  if (url === null) return reporter.note("The config has no console. Set its option `console: webConsole()`.");
  try {
    await openBrowser(url, env);
  } catch (error) {
    reporter.warning(`${error instanceof Error ? error.message : error} Open ${url}`);
  }
}

/** Only where there are no workflows yet. */
async function writeSample(workflows: string, reporter: Reporter): Promise<void> {
  const names = await readdir(workflows).catch(() => null);
  if (names !== null) return;
  await mkdir(workflows, { recursive: true });
  await writeFile(join(workflows, SAMPLE_FILE), sampleText());
  reporter.note(
    `Created ${WORKFLOWS_FOLDER}/${SAMPLE_FILE}, a sample. Files in ${WORKFLOWS_FOLDER} are deployed when they change.`,
  );
}
