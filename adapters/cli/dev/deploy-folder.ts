/** Deploys the workflow files of a folder that have changed. */
import { readText } from "../json/read-json.ts";
import type { CliClient } from "../server/open-client.ts";
import { CommandError, EXIT, refused } from "../terminal/failure.ts";
import type { Shell } from "../terminal/shell.ts";
import { deployFile, type Others } from "../workflow-files/deploy-file.ts";
import { workflowFilesIn } from "../workflow-files/folder-files.ts";
import { replacedTexts } from "../workflow-files/replaced-texts.ts";
import { readWorkflowFile } from "../workflow-files/workflow-file.ts";
import type { Reporter } from "./reporter.ts";

/** People may sign in to the console with the key of `stepwell dev`: what they deploy is not what it deploys. */
export const DEV_USER = "stepwell dev";

export interface FolderDeployment {
  /** Deploys what differs from the last call. The client must act for {@link DEV_USER}. */
  deploy(client: CliClient): Promise<void>;
  /** Lets the next call try files again that had problems: a restart may have brought what they need. */
  retryFailed(): void;
}

/** What the last call did with a file. */
interface Known {
  readonly text: string;
  readonly result: "deployed" | "failed" | "duplicate";
  /** Name of the workflow; null for a file that has none. */
  readonly name: string | null;
}

export function createFolderDeployment(shell: Shell, reporter: Reporter): FolderDeployment {
  const known = new Map<string, Known>();

  /** Whether the last call has done what this one would do. */
  function isDone(path: string, text: string, names: ReadonlyMap<string, string>): boolean {
    const last = known.get(path);
    if (last?.text !== text) return false;
    return last.result !== "duplicate" || names.has(last.name ?? "");
  }

  /** @param names Paths of the files by the names of their workflows. */
  async function deployOne(client: CliClient, path: string, text: string, names: Map<string, string>): Promise<void> {
    let [result, name]: [Known["result"], string | null] = ["failed", null];
    try {
      const file = await readWorkflowFile(path, shell);
      name = file.name;
      const other = names.get(name);
      if (other !== undefined) {
        result = "duplicate";
        throw sameName(path, name, other);
      }
      names.set(name, path);
      const deployed = await deployFile(client, file, { others });
      reporter.deployed(deployed);
      for (const warning of replacedTexts(deployed)) reporter.warning(warning);
      result = "deployed";
    } catch (error) {
      if (shell.signal.aborted) return;
      reporter.invalid(path, error);
      // Another error is not about the file, such as that of a server that restarts.
      if (!(error instanceof CommandError)) return void known.delete(path);
    }
    known.set(path, { text, result, name });
  }

  const others: Others = {
    ownUser: DEV_USER,
    async keepDraft(workflow, draft) {
      const { keepDraft } = await import("../workflow-files/undeployed-draft.ts");
      return keepDraft(shell.cwd, workflow, draft);
    },
  };

  return {
    async deploy(client) {
      const texts = new Map<string, string>();
      const names = new Map<string, string>();
      for (const path of await workflowFilesIn(shell.cwd)) {
        const text = await readText(path, shell).catch(textOfUnreadable);
        // Null for a file that was removed meanwhile.
        if (text === null) continue;
        texts.set(path, text);
        const last = known.get(path);
        if (last?.text === text && last.name !== null && last.result !== "duplicate") names.set(last.name, path);
      }
      for (const path of known.keys()) if (!texts.has(path)) known.delete(path);
      for (const [path, text] of texts) {
        if (shell.signal.aborted) return;
        if (!isDone(path, text, names)) await deployOne(client, path, text, names);
      }
    },
    retryFailed() {
      for (const [path, { result }] of known) if (result === "failed") known.delete(path);
    },
  };
}

/** A file that is no text has problems, as long as it stays the same for this purpose. */
function textOfUnreadable(error: unknown): string | null {
  return error instanceof CommandError && error.exitCode === EXIT.refused ? "\0" : null;
}

function sameName(path: string, name: string, other: string): CommandError {
  const hint = "A file is matched with its workflow by its name. Give each file a name of its own, then save it.";
  return refused(`${path} has the name ${JSON.stringify(name)}, as ${other}.`, hint);
}
