/** The processes of browsers, as the system has them. */
import { readdirSync, readFileSync } from "node:fs";

/** Browsers that a process started, this one unless said, by what none of their own processes has. */
export function browsers(of = process.pid): number[] {
  return processes().flatMap(({ pid, parent, command }) =>
    parent === of && command.includes("--remote-debugging") && !command.includes("--type=") ? [pid] : [],
  );
}

/** They, and all that they started. */
export function all(of = process.pid): number[] {
  const known = processes();
  const mine = new Set(browsers(of));
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

function processes(): { pid: number; parent: number; command: string }[] {
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
