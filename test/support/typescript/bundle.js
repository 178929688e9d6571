/** Bundles a module with its imports, once for all threads and processes until one of its files changes. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "node_modules/.cache/stepwell");
/** Not bundled: packages that load files next to their code, and optional ones that may not be installed. */
const EXTERNAL = ["@jitl/*", "mammoth", "unpdf"];

/** @returns The path of the bundle, within the package, so that it finds what is not bundled. */
export function bundleOf(url) {
  const entry = fileURLToPath(url);
  const name = createHash("sha256").update(entry).digest("hex");
  const bundle = join(folder, `${name}.mjs`);
  const inputsPath = join(folder, `${name}.inputs.json`);
  if (readJson(inputsPath)?.every(([file, changed]) => changedAt(file) === changed)) return bundle;
  // Loaded when needed: most processes find a bundle.
  const { buildSync } = createRequire(import.meta.url)("esbuild");
  const { outputFiles, metafile } = buildSync({
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
  mkdirSync(folder, { recursive: true });
  replace(bundle, outputFiles[0].contents);
  replace(inputsPath, JSON.stringify(files));
  return bundle;
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** At once: other processes write and read the same file. */
function replace(path, contents) {
  const temporary = `${path}.${process.pid}.${performance.now()}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

/** Null for a missing file. */
function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
