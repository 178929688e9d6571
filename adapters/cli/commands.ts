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
  doctor: { summary: "Check what Stepwell needs; repair a folder", load: () => import("./commands/doctor.ts") },
  completion: { summary: "Print a completion script for a shell", load: () => import("./commands/completion.ts") },
};

export function findCommand(name: string): CommandEntry | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/** The command that was probably meant. */
export function similarTo(name: string): string | undefined {
  const [nearest] = Object.keys(COMMANDS)
    .map((command) => ({ command, distance: distance(command, name) }))
    .filter((one) => one.distance <= MAX_DISTANCE || one.command.startsWith(name))
    .sort((one, other) => one.distance - other.distance);
  return nearest?.command;
}

/** Mistakes in one word. */
const MAX_DISTANCE = 2;

/** Insertions, deletions and substitutions between two short words. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const same = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, same));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
