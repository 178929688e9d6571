/** Deploys the workflow files of a folder that have changed. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readText } from "../json/read-json.ts";
import type { CliClient } from "../server/open-client.ts";
import type { Shell } from "../terminal/shell.ts";
import { deployFile } from "../workflow-files/deploy-file.ts";
import { readWorkflowFile, WORKFLOWS_FOLDER } from "../workflow-files/workflow-file.ts";
import type { Reporter } from "./reporter.ts";

/** @returns A function that deploys what differs from its last call. */
export function createFolderDeployment(shell: Shell, reporter: Reporter): (client: CliClient) => Promise<void> {
  const known = new Map<string, string>();
  return async (client) => {
    const names = await readdir(join(shell.cwd, WORKFLOWS_FOLDER)).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(".json")).sort()) {
      const path = `${WORKFLOWS_FOLDER}/${name}`;
      try {
        const text = await readText(path, shell);
        if (known.get(path) === text) continue;
        known.set(path, text);
        reporter.deployed(await deployFile(client, await readWorkflowFile(path, shell)));
      } catch (error) {
        if (shell.signal.aborted) return;
        reporter.invalid(path, error);
      }
    }
  };
}
