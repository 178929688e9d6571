/**
 * What five-step runs take on fs once the service is closed: files, and blocks of the disk beside the content, which is the
 * documents as JSON once. `node runs-disk.js [number]`
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import fsDriver from "stepwell/storage/fs";
import { report } from "./measure.js";
import { deployed } from "./peers/stepwell.js";

const COUNT = Number(process.argv[2] ?? 50_000);
const AT_ONCE = 64;
const BLOCK_BYTES = 512;

const base = mkdtempSync(join(tmpdir(), "bench-runs-disk-"));
try {
  await fill();
  const files = readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const content = files.reduce((sum, file) => sum + contentOf(file), 0);
  for (const [kind, own] of groups(files)) {
    report(`${kind}: files`, own.length, "");
    report(`${kind}: for a run`, diskOf(own) / COUNT, "bytes");
  }
  report("files: runs for each", COUNT / files.length, "", "at least 500");
  report("content of a run", content / COUNT, "bytes");
  report("disk beside the content", diskOf(files) / content, "times", "at most 1.3");
} finally {
  rmSync(base, { recursive: true, force: true });
}
process.exit();

async function fill() {
  const { once, close } = await deployed({ entities: fsDriver({ base }) });
  let left = COUNT;
  const lane = async () => {
    while (left-- > 0) await once();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await close();
}

function kindOf(file) {
  const [folder] = relative(base, file).split(sep);
  return folder;
}

function groups(files) {
  const kinds = [...new Set(files.map(kindOf))];
  return kinds.map((kind) => [kind, files.filter((file) => kindOf(file) === kind)]);
}

function diskOf(files) {
  return files.reduce((sum, file) => sum + statSync(file).blocks * BLOCK_BYTES, 0);
}

/** Length of the documents in a segment, whose first line is its index. */
function contentOf(file) {
  if (kindOf(file) !== "documents") return 0;
  const [, ...lines] = readFileSync(file, "utf8").split("\n");
  return lines.reduce((sum, line) => {
    const [, , document] = line === "" ? [] : JSON.parse(line.slice(line.indexOf("[")));
    return document == null ? sum : sum + JSON.stringify(document).length;
  }, 0);
}
