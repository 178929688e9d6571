/** Deploys the workflow files of a folder that have changed. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readText } from "../json/read-json.ts";
import type { CliClient } from "../server/open-client.ts";
import { CommandError } from "../terminal/failure.ts";
import type { Shell } from "../terminal/shell.ts";
import { deployFile } from "../workflow-files/deploy-file.ts";
import { readWorkflowFile, WORKFLOWS_FOLDER } from "../workflow-files/workflow-file.ts";
import type { Reporter } from "./reporter.ts";

export interface FolderDeployment {
  /** Deploys what differs from the last call. */
  deploy(client: CliClient): Promise<void>;
  /** Lets the next call try files again that had problems: a restart may have brought what they need. */
  retryFailed(): void;
}

export function createFolderDeployment(shell: Shell, reporter: Reporter): FolderDeployment {
  /** The texts that were deployed, and those with problems. */
  const deployed = new Map<string, string>();
  const failed = new Map<string, string>();
  return {
    async deploy(client) {
      const names = await readdir(join(shell.cwd, WORKFLOWS_FOLDER)).catch(() => []);
      for (const name of names.filter((one) => one.endsWith(".json")).sort()) {
        const path = `${WORKFLOWS_FOLDER}/${name}`;
        const text = await readText(path, shell).catch(() => null);
        // Null for a file that was removed meanwhile.
        if (text === null || deployed.get(path) === text || failed.get(path) === text) continue;
        try {
          reporter.deployed(await deployFile(client, await readWorkflowFile(path, shell)));
          deployed.set(path, text);
          failed.delete(path);
        } catch (error) {
          if (shell.signal.aborted) return;
          deployed.delete(path);
          // Another error is not about the file, such as that of a server that restarts.
          if (error instanceof CommandError) failed.set(path, text);
          reporter.invalid(path, error);
        }
      }
    },
    retryFailed: () => failed.clear(),
  };
}
