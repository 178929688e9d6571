// Starts, kills, closes and replaces the processes of the cluster, as your process manager does.
import { fork } from "node:child_process";
import { once } from "node:events";

/** More than Stepwell needs to close. */
const CLOSE_MS = 60_000;
const PROGRAM = new URL("process.js", import.meta.url);

/**
 * @param env Of all processes.
 * @param onLog Called with the name of a process and what it has logged.
 * @param onProblem Called with a text when one has ended by itself.
 */
export function createProcesses({ env, onLog, onProblem }) {
  /** All that were started, also those that have ended. */
  const all = [];
  const numbers = { web: 0, worker: 0 };
  let isClosed = false;

  /** Resolves when it serves or works. */
  async function start(role) {
    if (isClosed) throw new Error("All processes are closed.");
    const name = `${role}-${++numbers[role]}`;
    const options = { env: { ...process.env, ...env, ROLE: role, NAME: name }, detached: true };
    const child = fork(PROGRAM, { ...options, stdio: ["ignore", "ignore", "pipe", "ipc"] });
    const found = { name, role, child, pid: child.pid, state: "starting", running: 0, requests: 0, url: null };
    all.push(found);
    let output = "";
    child.stderr.on("data", (text) => (output += text));
    const isReady = new Promise((resolve, reject) => {
      child.on("message", ({ port, log, ...counts }) => {
        Object.assign(found, counts);
        if (log !== undefined) onLog(name, log);
        if (found.state !== "starting" || log !== undefined) return;
        found.state = role === "web" ? "serving" : "working";
        found.url = `http://127.0.0.1:${port}`;
        resolve(found);
      });
      child.once("exit", (code, signal) => {
        reject(new Error(`${name} has ended before it was ready:\n${output}`));
        const isExpected = found.state === "killed" || (found.state === "closing" && code === 0);
        if (!isExpected) onProblem(`${name} has ended with ${code ?? signal}: ${output}`);
        found.state = found.state === "killed" ? "killed" : "closed";
        found.running = 0;
      });
    });
    return isReady;
  }

  async function end(found, signal) {
    const { child } = found;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    const isStarting = found.state === "starting";
    found.state = isStarting || signal === "SIGKILL" ? "killed" : "closing";
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), CLOSE_MS);
    await ended;
    clearTimeout(timer);
  }

  return {
    all,
    start,
    /** Those that serve or work, oldest first. */
    up: (role) => all.filter((found) => found.role === role && ["serving", "working"].includes(found.state)),
    kill: (found) => end(found, "SIGKILL"),
    close: (found) => end(found, "SIGTERM"),
    closeAll() {
      isClosed = true;
      return Promise.all(all.map((found) => end(found, "SIGTERM")));
    },
  };
}
