/**
 * Five-step runs in memory and on fs, of this build beside one of another checkout, each in a process of its own, in turns:
 * `node builds.js PATH`. The other one needs its packages, a build, and those of its bench.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { report } from "./measure.js";
import { inTurns, startPeer } from "./peer.js";

const [, , path] = process.argv;
if (path === undefined) throw new Error("Name the other checkout: node builds.js PATH.");
const other = pathToFileURL(`${join(resolve(path), "bench")}/`);
const folder = mkdtempSync(join(tmpdir(), "bench-builds-"));
const stores = { memory: () => ({}), fs: (side) => ({ base: join(folder, side) }) };

console.log(`Node ${process.version}, load ${loadavg()[0].toFixed(2)} before`);
for (const [name, optionsOf] of Object.entries(stores)) {
  const peers = {
    this: await startPeer("stepwell", optionsOf("this")),
    other: await startPeer("stepwell", optionsOf("other"), other),
  };
  for (const at_once of [1, 64]) {
    const seen = await inTurns(peers, { rounds: 9, milliseconds: 1_000, at_once });
    const what = `${name}, ${at_once === 1 ? "alone" : "64 at once"}`;
    for (const [side, { cpu }] of Object.entries(seen)) report(`${what}: ${side}, processor time of a run`, cpu, "µs");
    report(`${what}: this over the other`, seen.this.cpu / seen.other.cpu, "times");
  }
  for (const peer of Object.values(peers)) await peer.close();
}
rmSync(folder, { recursive: true, force: true });
console.log(`load ${loadavg()[0].toFixed(2)} after`);
process.exit();
