/**
 * Peak memory of a process whose run fetches a small and a large file by the service `http`, and sends it out again: it
 * must not grow with the file. Each size has a process of its own, whose JavaScript heap is held to 64 MB; the other
 * server is a process, too.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { report } from "./measure.js";

const MIB = 2 ** 20;
const SIZES = (process.env.SIZES ?? "16,1024").split(",").map(Number);
const FILE = fileURLToPath(import.meta.url);
const [, , role, ...given] = process.argv;

if (role === undefined) await compare();
else if (role === "serve") serve();
else await transfer(...given);

/** Sends /SIZE as that many MB, and counts the bytes that are posted. */
function serve() {
  const piece = Buffer.alloc(MIB / 4, 0xab);
  const server = createServer(async (incoming, response) => {
    if (incoming.method === "POST") {
      let bytes = 0;
      for await (const chunk of incoming) bytes += chunk.length;
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ bytes }));
    }
    const size = Number(incoming.url.slice(1)) * MIB;
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": size });
    for (let left = size; left > 0; left -= piece.length) {
      if (!response.write(piece)) await new Promise((drained) => response.once("drain", drained));
    }
    response.end();
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
}

async function transfer(port, size, base) {
  const [{ createStepwell }, { default: fs }] = await Promise.all([import("stepwell"), import("stepwell/storage/fs")]);
  const stepwell = createStepwell({
    storage: { blobs: fs({ base }) },
    net: { allow: [`127.0.0.1:${port}`] },
    limits: { fileBytes: 2 ** 31 },
  });
  const { id: app } = await stepwell.apps.create({ name: "Bench" });
  const http = (key, input) => ({
    type: "service",
    key,
    timeout: 3_600,
    service: { service: "http", action: "request", input: { ...input, url: `http://127.0.0.1:${port}${input.url}` } },
  });
  const { id: workflow } = await stepwell.workflows.create(app, {
    name: "There and back",
    steps: [
      http("fetch", { url: `/${size}` }),
      http("send", { url: "/", file_id: "{{ steps.fetch.output.file.id }}" }),
    ],
  });
  await stepwell.workflows.deploy(app, workflow);
  const start = performance.now();
  const { id } = await stepwell.runs.create(app, workflow, {});
  const run = await stepwell.runs.wait(app, id);
  const seconds = (performance.now() - start) / 1_000;
  if (run.output?.body?.bytes !== Number(size) * MIB) throw new Error(JSON.stringify(run.error ?? run.output));
  await stepwell.close();
  process.send({ peak: process.resourceUsage().maxRSS / 1_024, seconds });
  process.exit();
}

function started(args, execArgv) {
  return new Promise((resolve, reject) => {
    const child = fork(FILE, args, { execArgv });
    child.once("message", (message) => resolve({ child, message }));
    child.once("exit", (code) => reject(new Error(`${args} ended with ${code}`)));
  });
}

async function compare() {
  const { child: server, message: port } = await started(["serve"], []);
  const base = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
  try {
    const peaks = [];
    for (const size of SIZES) {
      const { message } = await started(["transfer", port, size, base], ["--max-old-space-size=64"]);
      peaks.push(message.peak);
      report(`${size} MB by http to a file and out again, peak memory`, message.peak, "MB", "under 140");
      report(`${size} MB by http to a file and out again`, message.seconds, "s", "");
    }
    report("peak of the largest to that of the smallest", peaks.at(-1) / peaks[0], "", "about 1");
  } finally {
    server.kill();
    rmSync(base, { recursive: true, force: true });
  }
}
