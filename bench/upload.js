/**
 * Upload of a large file on fs, by multipart and by tus, against a raw body written to a file in 1 MiB pieces (the
 * floor), the same with SHA-256, busboy to a file, and @tus/server with its file store. By tus it comes in one PATCH.
 * Each server is a process of its own and reports its peak memory; the client is this process.
 */
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, createWriteStream, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { median, report } from "./measure.js";

const MIB = 2 ** 20;
const [, file, side, folder] = process.argv;
const BOUNDARY = "----stepwell-bench-boundary";
const NOTHING = Buffer.alloc(0);
const PIECE = Buffer.alloc(64 * 1_024, "stepwell bench\n");
/** Sides that are spoken to by tus. */
const BY_TUS = new Set(["stepwellByTus", "tusServer"]);

const servers = {
  raw: () => serve(written(() => undefined)),
  async hashed() {
    return serve((incoming, outgoing) => {
      const hash = createHash("sha256");
      return written((piece) => hash.update(piece))(incoming, outgoing).then(() => hash.digest("hex"));
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
  stepwell: () => serveStepwell(),
  stepwellByTus: () => serveStepwell(),
  async tusServer() {
    const { Server } = await import("@tus/server");
    const { FileStore } = await import("@tus/file-store");
    const tus = new Server({ path: "/files", datastore: new FileStore({ directory: folder }) });
    return serve(
      (incoming, outgoing) => tus.handle(incoming, outgoing),
      async () => "/files",
    );
  },
};

async function serveStepwell() {
  const { createStepwell } = await import("stepwell");
  const { toNodeHandler } = await import("stepwell/http/node");
  const { default: fsDriver } = await import("stepwell/storage/fs");
  const stepwell = createStepwell({ storage: { entities: fsDriver({ base: join(folder, "stepwell") }) } });
  const app = await stepwell.apps.create({ name: "Bench" });
  const handler = toNodeHandler(stepwell);
  const address = async () => new URL((await stepwell.files.createUpload(app.id, {})).upload_url).pathname;
  return serve(handler, address, async () => {
    for (const { id } of (await stepwell.files.list(app.id)).items) await stepwell.files.remove(app.id, id);
  });
}

/** Writes a body to a file in pieces of 1 MiB, and shows each to somebody. */
function written(show) {
  return async (incoming, outgoing) => {
    const target = openSync(join(folder, `raw-${Date.now()}`), "w");
    let pieces = [];
    let held = 0;
    for await (const piece of incoming) {
      show(piece);
      pieces.push(piece);
      held += piece.length;
      if (held >= MIB) {
        writeSync(target, Buffer.concat(pieces));
        pieces = [];
        held = 0;
      }
    }
    writeSync(target, Buffer.concat(pieces));
    closeSync(target);
    outgoing.end("done");
  };
}

function removeFiles() {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
}

/** Answers with the address to upload to, and with the peak memory, when the parent asks for them; removes received files. */
function serve(handler, address = async () => "/", clean = async () => removeFiles()) {
  const server = createServer(handler).listen(0, "127.0.0.1", () => {
    process.on("message", async (message) => {
      if (message === "address") process.send({ port: server.address().port, path: await address() });
      if (message === "clean") process.send((await clean()) ?? "cleaned");
      if (message === "memory") process.send({ megabytes: process.resourceUsage().maxRSS / 1_024 });
    });
    process.send("ready");
  });
}

if (side !== undefined) await servers[side]();
else await compare();

function answer(child, question) {
  return new Promise((resolve, reject) => {
    const failed = (code) => reject(new Error(`the server ended with ${code}`));
    child.once("exit", failed);
    child.once("message", (message) => {
      child.off("exit", failed);
      resolve(message);
    });
    if (question !== undefined) child.send(question);
  });
}

/** Sends so many bytes as the one part of a multipart body; gives the milliseconds until the answer. */
async function uploadForm({ port, path }, size) {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="bench.bin"\r\n` +
      "content-type: application/octet-stream\r\n\r\n",
  );
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const headers = {
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    "content-length": head.length + size + tail.length,
  };
  const start = performance.now();
  await send({ port, path, method: "POST", headers }, head, size, tail);
  return performance.now() - start;
}

/** The same by tus: a creation, and everything in one PATCH. */
async function uploadByTus({ port, path }, size) {
  const tus = { "tus-resumable": "1.0.0" };
  const start = performance.now();
  const created = { port, path, method: "POST", headers: { ...tus, "upload-length": size } };
  const { location } = (await send(created, NOTHING, 0, NOTHING)).headers;
  const { pathname, search } = new URL(location, "http://127.0.0.1");
  const type = { "content-type": "application/offset+octet-stream", "content-length": size, "upload-offset": 0 };
  await send({ port, path: pathname + search, method: "PATCH", headers: { ...tus, ...type } }, NOTHING, size, NOTHING);
  return performance.now() - start;
}

async function send(options, head, size, tail) {
  const outgoing = request({ host: "127.0.0.1", ...options });
  const answered = new Promise((resolve, reject) => outgoing.once("response", resolve).once("error", reject));
  outgoing.write(head);
  for (let sent = 0; sent < size; sent += PIECE.length) {
    if (!outgoing.write(PIECE)) await new Promise((resolve) => outgoing.once("drain", resolve));
  }
  outgoing.end(tail);
  const response = await answered;
  if (response.statusCode >= 300) throw new Error(`${response.statusCode}`);
  await response.resume().toArray?.();
  return response;
}

async function once(child, megabytes, name) {
  const address = await answer(child, "address");
  const upload = BY_TUS.has(name) ? uploadByTus : uploadForm;
  return (megabytes * 1_000) / (await upload(address, megabytes * MIB));
}

async function compare() {
  const base = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
  const script = fileURLToPath(new URL(file, "file:///"));
  const sizes = (process.env.SIZES ?? "256").split(",").map(Number);
  const names = Object.keys(servers);
  const sides = {};
  try {
    for (const name of names) {
      sides[name] = fork(script, [name, mkdtempSync(join(base, `${name}-`))]);
      await answer(sides[name]);
    }
    for (const megabytes of sizes) {
      const seen = Object.fromEntries(names.map((name) => [name, []]));
      for (let round = -3; round < 9; round++) {
        // Who writes first after a removal finds warmer memory than who writes last, and who comes behind a slow one finds
        // its pages still on their way to the disk: each takes each place in turn, and each neighbour.
        for (const side of Object.values(sides)) await answer(side, "clean");
        if (round % 2 === 0) names.reverse();
        names.push(names.shift());
        for (const name of names) {
          const speed = await once(sides[name], megabytes, name);
          if (round >= 0) seen[name].push(speed);
        }
      }
      const speeds = {};
      for (const name of names) {
        speeds[name] = median(seen[name]);
        report(`upload of ${megabytes} MB: ${name}`, speeds[name], "MB/s");
        const { megabytes: peak } = await answer(sides[name], "memory");
        report(
          `upload of ${megabytes} MB: ${name}, peak memory`,
          peak,
          "MB",
          name.startsWith("stepwell") ? "under 140" : "",
        );
      }
      report(`upload of ${megabytes} MB: ratio to raw`, speeds.stepwell / speeds.raw, "", "at least 0.6");
      report(`upload of ${megabytes} MB: ratio to raw with SHA-256`, speeds.stepwell / speeds.hashed, "");
      report(`upload of ${megabytes} MB: ratio to busboy`, speeds.stepwell / speeds.busboy, "", "at least 1");
      report(
        `upload of ${megabytes} MB: ratio to @tus/server`,
        speeds.stepwellByTus / speeds.tusServer,
        "",
        "at least 1",
      );
    }
  } finally {
    for (const side of Object.values(sides)) side.kill();
    rmSync(base, { recursive: true, force: true });
  }
}
