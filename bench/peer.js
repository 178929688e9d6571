/** A side in a child process, and rounds of several sides in turns. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./measure.js";

const WARM_UP_AT_ONCE = 64;

/**
 * Starts a side and waits for its first finished run. Null when its package is not installed: that is said aloud.
 * @param bench URL of a folder like this one, of another checkout. @default This one
 */
export async function startPeer(name, options = {}, bench = import.meta.url) {
  const script = fileURLToPath(new URL("peers/child.js", bench));
  const process = fork(script, [name, JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const calls = new Map();
  let last = 0;
  process.on("message", ({ id, value, error }) => {
    const { resolve, reject } = calls.get(id);
    calls.delete(id);
    if (error === undefined) resolve(value);
    else reject(new Error(`${name}: ${error}`));
  });
  process.on("exit", (code) => {
    for (const { reject } of calls.values()) reject(new Error(`${name} ended with ${code}`));
  });
  const call = (what, given) =>
    new Promise((resolve, reject) => {
      calls.set(++last, { resolve, reject });
      process.send({ id: last, call: what, given });
    });
  try {
    const { startup } = await call("start");
    return {
      startup,
      round: (given) => call("round", given),
      measure: () => call("measure"),
      async close() {
        await Promise.race([call("close"), new Promise((resolve) => setTimeout(resolve, 5_000))]).catch(
          () => undefined,
        );
        process.kill("SIGKILL");
      },
    };
  } catch (error) {
    process.kill("SIGKILL");
    console.log(`!! ${name} takes no part: ${String(error.message).split("\n").slice(0, 2).join(" ")}`);
    return null;
  }
}

/**
 * Rounds of all sides in turns: of each the median of runs a second and of the percentiles, and `than(other)`, the
 * median of its rate over another's in the same turn.
 */
export async function inTurns(peers, { rounds, milliseconds, at_once }) {
  const seen = Object.fromEntries(Object.keys(peers).map((name) => [name, []]));
  // Many runs warm up: on a busy machine the compiler needs thousands, and a durable side makes few alone.
  for (const peer of Object.values(peers))
    await peer.round({ milliseconds: 4 * milliseconds, at_once: WARM_UP_AT_ONCE });
  for (const peer of Object.values(peers)) await peer.round({ milliseconds, at_once });
  for (let turn = 0; turn < rounds; turn++) {
    for (const [name, peer] of Object.entries(peers)) seen[name].push(await peer.round({ milliseconds, at_once }));
  }
  const of = (name, figure) => median(seen[name].map((one) => one[figure]));
  return Object.fromEntries(
    Object.keys(peers).map((name) => [
      name,
      {
        rate: of(name, "rate"),
        cpu: of(name, "cpu"),
        p99: of(name, "p99"),
        than: (other) => median(seen[name].map((one, turn) => one.rate / seen[other][turn].rate)),
      },
    ]),
  );
}
