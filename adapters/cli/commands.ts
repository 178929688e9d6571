/** The commands: what each does, and the module that is loaded when it is called. */
import type { CommandEntry, Commands } from "./command.ts";

export const COMMANDS: Commands = {
  dev: { summary: "Run a server for development in this folder", load: () => import("./commands/dev.ts") },
  init: { summary: "Write a sample, a config and a server", load: () => import("./commands/init.ts") },
  run: { summary: "Start a run and follow it", load: () => import("./commands/run.ts") },
  deploy: { summary: "Deploy workflow files", load: () => import("./commands/deploy.ts") },
  diff: { summary: "Show what a file or draft changes", load: () => import("./commands/diff.ts") },
  logs: { summary: "Show what a run did and logged", load: () => import("./commands/logs.ts") },
  inbox: { summary: "List what waits for input, or answer it", load: () => import("./commands/inbox.ts") },
  export: { summary: "Export a workflow or the whole app", load: () => import("./commands/export.ts") },
  import: { summary: "Import what was exported", load: () => import("./commands/import.ts") },
  diagram: { summary: "Draw a workflow as Mermaid or SVG", load: () => import("./commands/diagram.ts") },
  api: { summary: "Call any function of the API", load: () => import("./commands/api.ts") },
  key: { summary: "Create, list or remove API keys", load: () => import("./commands/key.ts") },
  mcp: { summary: "Serve workflows as tools to an agent", load: () => import("./commands/mcp.ts") },
  doctor: { summary: "Check what Stepwell needs; repair a folder", load: () => import("./commands/doctor.ts") },
  migrate: { summary: "Copy all data to another storage", load: () => import("./commands/migrate.ts") },
  completion: { summary: "Print a completion script for a shell", load: () => import("./commands/completion.ts") },
};

export function findCommand(name: string): CommandEntry | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}
