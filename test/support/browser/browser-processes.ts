/** The processes of browsers, as the system has them. */
import { readdirSync, readFileSync } from "node:fs";

/** Browsers that a process started, this one unless said, itself or by the shell script that Debian puts before some. */
export function browsers(of = process.pid): number[] {
  const known = startedBy(of);
  const scripts = known.filter(isScript).map(({ pid }) => pid);
  const all = [...known, ...scripts.flatMap(startedBy)];
  return all.filter((one) => !isScript(one)).map(({ pid }) => pid);
}

/** They, and all that they started. */
export function all(of = process.pid): number[] {
  const known = processes();
  const mine = new Set(startedBy(of).map(({ pid }) => pid));
  for (let size = -1; size !== mine.size; ) {
    size = mine.size;
    for (const { pid, parent } of known) if (mine.has(parent)) mine.add(pid);
  }
  return [...mine];
}

/** Those of them that have not ended. */
export function alive(pids: readonly number[]): number[] {
  const known = new Set(processes().map(({ pid }) => pid));
  return pids.filter((pid) => known.has(pid));
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** By what none of a browser's own processes has. */
function startedBy(parent: number): Process[] {
  return processes().filter(
    (one) => one.parent === parent && one.command.includes("--remote-debugging") && !one.command.includes("--type="),
  );
}

function isScript({ command }: Process): boolean {
  return /^[^\0]*\bsh\0/.test(command);
}

function processes(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        if (state === "Z") return [];
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return []; // gone meanwhile
      }
    });
}
