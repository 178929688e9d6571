/** Finds the browser processes on this machine. */
import { readdirSync, readFileSync } from "node:fs";

interface Process {
  readonly pid: number;
  readonly parent: number;
}

/** Browsers that a process started (by default this one), including through a shell script, as on Debian. */
export function browsers(of = process.pid): number[] {
  const known = processes();
  const started = startedBy(of, known);
  const scripts = started.filter(isScript);
  return [...started, ...scripts.flatMap((script) => startedBy(script, known))].filter((pid) => !isScript(pid));
}

/** The browsers and all their descendant processes. */
export function all(of = process.pid): number[] {
  const known = processes();
  const mine = new Set(startedBy(of, known));
  for (let size = -1; size !== mine.size; ) {
    size = mine.size;
    for (const { pid, parent } of known) if (mine.has(parent)) mine.add(pid);
  }
  return [...mine];
}

/** The processes that have not ended. */
export function alive(pids: readonly number[]): number[] {
  const known = new Set(processes().map(({ pid }) => pid));
  return pids.filter((pid) => known.has(pid));
}

/** The browsers that a process started, without their own child processes, which have `--type=`. */
function startedBy(of: number, known: readonly Process[]): number[] {
  const children = known.filter(({ parent }) => parent === of).map(({ pid }) => pid);
  return children.filter((pid) => {
    const command = commandOf(pid);
    return command.includes("--remote-debugging") && !command.includes("--type=");
  });
}

function isScript(pid: number): boolean {
  return /^[^\0]*\bsh\0/.test(commandOf(pid));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // ended meanwhile
  }
}

function processes(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (state === "Z") return [];
        return [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        return []; // ended meanwhile
      }
    });
}
