/**
 * Peak memory of a server that takes a small and a large upload by multipart, on each of our drivers: it must not grow
 * with the file. Each upload has a server process of its own, whose JavaScript heap is held to 64 MB.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { report } from "./measure.js";

const MIB = 2 ** 20;
const SIZES = (process.env.SIZES ?? "64,512").split(",").map(Number);
const BOUNDARY = "----stepwell-bench-boundary";
const [, , storage, place] = process.argv;

const drivers = {
  async fs(base) {
    const { default: driver } = await import("stepwell/storage/fs");
    return driver({ base });
  },
  async redis(url) {
    const { default: driver } = await import("stepwell/storage/redis");
    return driver({ url });
  },
  async s3(endpoint) {
    const { default: driver } = await import("stepwell/storage/s3");
    const known = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER", region: "us-east-1" }; // the ones that s3rver knows
    return driver({ endpoint, bucket: "stepwell", ...known });
  },
};

if (storage === undefined) await compare();
else await serve();

async function serve() {
  const { createStepwell } = await import("stepwell");
  const { toNodeHandler } = await import("stepwell/http/node");
  const stepwell = createStepwell({ storage: { blobs: await drivers[storage](place) } });
  const app = await stepwell.apps.create({ name: "Bench" });
  const { upload_url } = await stepwell.files.createUpload(app.id, {});
  const server = createServer(toNodeHandler(stepwell)).listen(0, "127.0.0.1", () => {
    process.on("message", async () => {
      process.send(process.resourceUsage().maxRSS / 1_024);
      for (const { id } of (await stepwell.files.list(app.id)).items) await stepwell.files.remove(app.id, id);
      await stepwell.close();
      process.exit();
    });
    process.send({ port: server.address().port, path: new URL(upload_url).pathname });
  });
}

async function compare() {
  await import("../test/support/typescript/register.js");
  const [{ startRedis }, { startS3 }] = await Promise.all([
    import("../test/support/servers/redis.ts"),
    import("../test/support/servers/s3.ts"),
  ]);
  const base = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
  const [redis, s3] = await Promise.all([startRedis(), startS3()]);
  try {
    for (const [name, at] of [
      ["fs", base],
      ["redis", redis.url],
      ["s3", s3.url],
    ]) {
      const peaks = [];
      for (const size of SIZES) {
        peaks.push(await peakOf(name, at, size));
        report(`upload of ${size} MB to ${name}, peak memory`, peaks.at(-1), "MB", "under 140");
      }
      report(`upload to ${name}: peak of the largest to that of the smallest`, peaks.at(-1) / peaks[0], "", "about 1");
    }
  } finally {
    await Promise.all([redis.close(), s3.close()]);
    rmSync(base, { recursive: true, force: true });
  }
}

async function peakOf(name, at, size) {
  const script = fileURLToPath(import.meta.url);
  const child = fork(script, [name, at], { execArgv: ["--max-old-space-size=64"] });
  const nextMessage = () =>
    new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", (code) => reject(new Error(`the server on ${name} ended with ${code}`)));
    });
  const target = await nextMessage();
  await upload(target, size * MIB);
  const peak = nextMessage();
  child.send("peak");
  const megabytes = await peak;
  await new Promise((resolve) => child.once("exit", resolve));
  return megabytes;
}

async function upload({ port, path }, size) {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="bench.bin"\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const piece = Buffer.alloc(64 * 1_024, "stepwell bench\n");
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
  const outgoing = request({ port, path, host: "127.0.0.1", method: "POST", headers });
  const answered = new Promise((resolve, reject) => outgoing.once("response", resolve).once("error", reject));
  outgoing.write(head);
  for (let sent = 0; sent < size; sent += piece.length) {
    if (!outgoing.write(piece)) await new Promise((resolve) => outgoing.once("drain", resolve));
  }
  outgoing.end(tail);
  const response = await answered;
  if (response.statusCode !== 201) throw new Error(`${response.statusCode}: ${await response.toArray()}`);
  response.resume();
}
