/** The commands: what each does, and the module that is loaded when it is called. */
import type { Command } from "./command.ts";

interface Entry {
  /** One line for `stepwell --help`. */
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}

export const COMMANDS = {
  dev: { summary: "Run a server for development in this folder", load: () => import("./commands/dev.ts") },
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
} as const satisfies Readonly<Record<string, Entry>>;

const ENTRIES: Readonly<Record<string, Entry>> = COMMANDS;

export function findCommand(name: string): Entry | undefined {
  return Object.hasOwn(ENTRIES, name) ? ENTRIES[name] : undefined;
}

/** The command that was probably meant. */
export function similarTo(name: string): string | undefined {
  return Object.keys(COMMANDS).find((one) => one.startsWith(name.slice(0, 2)) || distance(one, name) <= 2);
}

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
