import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inTurns, startPeer } from "./peer.js";
const folder = mkdtempSync("/work/h/bsq-");
const peers = { fs: await startPeer("stepwell", { base: join(folder, "fs") }), sqlite: await startPeer("stepwell", { file: join(folder, "s.db") }), full: await startPeer("stepwell", { file: join(folder, "f.db"), sync: true }) };
for (const at_once of [1, 64]) {
  const seen = await inTurns(peers, { rounds: 3, milliseconds: 1000, at_once });
  for (const [n, s] of Object.entries(seen)) console.log(at_once, n, Math.round(s.rate), "runs/s", Math.round(s.cpu), "us cpu p99", s.p99.toFixed(2), "ratio", s.than("fs").toFixed(2));
}
for (const p of Object.values(peers)) await p.close();
rmSync(folder, { recursive: true, force: true });
process.exit();
