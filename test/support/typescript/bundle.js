/** Bundles a module with its imports, once for all threads and processes until one of its files changes. */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "node_modules/.cache/stepwell");
/** Not bundled: packages that load files next to their code, and optional ones that may not be installed. */
const EXTERNAL = ["@jitl/*", "mammoth", "unpdf"];

export async function bundleOf(url) {
  const entry = fileURLToPath(url);
  const path = join(folder, `${createHash("sha256").update(entry).digest("hex")}.json`);
  const cached = await readFile(path, "utf8").then(JSON.parse, () => null);
  if (cached?.files.every(([file, changed]) => changedAt(file) === changed)) return cached.code;
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: EXTERNAL,
    write: false,
    metafile: true,
    logLevel: "error",
    // Bundled CommonJS loads Node's modules with `require`, which ES modules do not have.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  const inputs = [import.meta.filename, ...Object.keys(metafile.inputs).map((file) => join(root, file))];
  const files = inputs.map((file) => [file, changedAt(file)]);
  const code = outputFiles[0].text;
  await mkdir(folder, { recursive: true });
  const temporary = `${path}.${process.pid}.${performance.now()}`;
  await writeFile(temporary, JSON.stringify({ files, code }));
  await rename(temporary, path);
  return code;
}

/** Null for a missing file. */
function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
