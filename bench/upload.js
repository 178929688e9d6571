/**
 * Upload of a large file by multipart on fs, against a raw body written to a file in 1 MiB pieces (the floor) and
 * busboy to a file. Each server is a process of its own and tells its peak memory; the client is this process.
 */
import { fork } from "node:child_process";
import { createWriteStream, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { median, report } from "./measure.js";

const MIB = 2 ** 20;
const [, file, side, folder] = process.argv;
const BOUNDARY = "----stepwell-bench-boundary";

const servers = {
  async raw() {
    return serve(async (incoming, outgoing) => {
      const target = openSync(join(folder, `raw-${Date.now()}`), "w");
      let pieces = [];
      let held = 0;
      for await (const piece of incoming) {
        pieces.push(piece);
        held += piece.length;
        if (held >= MIB) {
          writeSync(target, Buffer.concat(pieces));
          pieces = [];
          held = 0;
        }
      }
      writeSync(target, Buffer.concat(pieces));
      outgoing.end("done");
    });
  },
  async busboy() {
    const { default: busboy } = await import("busboy");
    return serve((incoming, outgoing) => {
      const form = busboy({ headers: incoming.headers });
      form.on("file", (_, content) => {
        pipeline(content, createWriteStream(join(folder, `busboy-${Date.now()}`))).then(() => outgoing.end("done"));
      });
      incoming.pipe(form);
    });
  },
  async stepwell() {
    const { createStepwell } = await import("stepwell");
    const { toNodeHandler } = await import("stepwell/http/node");
    const { default: fsDriver } = await import("stepwell/storage/fs");
    const stepwell = createStepwell({ storage: { entities: fsDriver({ base: join(folder, "stepwell") }) } });
    const app = await stepwell.apps.create({ name: "Bench" });
    const handler = toNodeHandler(stepwell);
    return serve(handler, async () => {
      const { upload_url } = await stepwell.files.createUpload(app.id, {});
      return new URL(upload_url).pathname;
    });
  },
};

/** Answers with the address to upload to, and with the peak memory, when asked by the parent. */
function serve(handler, address = async () => "/") {
  const server = createServer(handler).listen(0, "127.0.0.1", () => {
    process.on("message", async (asked) => {
      if (asked === "address") process.send({ port: server.address().port, path: await address() });
      if (asked === "memory") process.send({ megabytes: process.resourceUsage().maxRSS / 1_024 });
    });
    process.send("ready");
  });
}

if (side !== undefined) await servers[side]();
else await compare();

function answer(child, question) {
  return new Promise((resolve, reject) => {
    child.once("message", resolve).once("exit", reject);
    if (question !== undefined) child.send(question);
  });
}

/** Sends so many bytes as the one part of a multipart body; gives the milliseconds until the answer. */
async function upload({ port, path }, size) {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="bench.bin"\r\n` +
      "content-type: application/octet-stream\r\n\r\n",
  );
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const piece = Buffer.alloc(64 * 1_024, "stepwell bench\n");
  const start = performance.now();
  const headers = {
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    "content-length": head.length + size + tail.length,
  };
  const outgoing = request({ port, path, host: "127.0.0.1", method: "POST", headers });
  const answered = new Promise((resolve, reject) => outgoing.once("response", resolve).once("error", reject));
  outgoing.write(head);
  for (let sent = 0; sent < size; sent += piece.length) {
    if (!outgoing.write(piece)) await new Promise((resolve) => outgoing.once("drain", resolve));
  }
  outgoing.end(tail);
  const response = await answered;
  if (response.statusCode >= 300) throw new Error(`${response.statusCode}`);
  await response.resume().toArray?.();
  return performance.now() - start;
}

async function compare() {
  const base = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
  const script = fileURLToPath(new URL(file, "file:///"));
  const sizes = (process.env.SIZES ?? "256").split(",").map(Number);
  try {
    for (const megabytes of sizes) {
      const speeds = {};
      for (const name of Object.keys(servers)) {
        const folder = mkdtempSync(join(base, `${name}-`));
        const child = fork(script, [name, folder]);
        await answer(child);
        const seen = [];
        for (let round = 0; round < 4; round++) {
          const milliseconds = await upload(await answer(child, "address"), megabytes * MIB);
          if (round > 0) seen.push((megabytes * 1_000) / milliseconds);
        }
        speeds[name] = median(seen);
        const { megabytes: peak } = await answer(child, "memory");
        child.kill();
        rmSync(folder, { recursive: true, force: true });
        report(`upload of ${megabytes} MB: ${name}`, speeds[name], "MB/s");
        report(`upload of ${megabytes} MB: ${name}, peak memory`, peak, "MB", name === "stepwell" ? "under 140" : "");
      }
      report(`upload of ${megabytes} MB: ratio to raw`, speeds.stepwell / speeds.raw, "", "at least 0.6");
      report(`upload of ${megabytes} MB: ratio to busboy`, speeds.stepwell / speeds.busboy, "", "at least 1");
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
