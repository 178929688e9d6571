/**
 * Puts the modules that every process loads into one script, because V8 takes bytecode for scripts only
 * (`adapters/bytecode/load-script.ts`). With the condition `stepwell-bytecode`, each of these modules is a stub that exports
 * what the script has, so that none exists twice. Others import them as `#shared/…`, which is the module or its stub.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";

/** What a first run loads. */
const LOADED = /^(index|cel-[A-Z0-9]+)\.js$/;
/** Programs that run without the rest. */
const APART = /^(bytecode\/load-script|cli\/.*|(extract|sandbox)\/stepwell-\w+-worker)\.js$/;
/** Runs in browsers, which know no imports of packages. */
const CLIENT = /^client\.js$/;
const SCRIPT_START = "(function (module, require, __import) {";
const SCRIPT_END = "})";

type Modules = ReadonlyMap<string, Metafile["outputs"][string]>;

/** @param dist Folder of the built modules. */
export async function addBytecodeScript(dist: string): Promise<void> {
  const modules = await readModules(dist);
  const loaded = reachableFrom(LOADED, modules);
  const apart = new Set([...reachableFrom(APART, modules), ...reachableFrom(CLIENT, modules, ["dynamic-import"])]);
  await mkdir(join(dist, "bytecode"), { recursive: true });
  await writeScript(dist, loaded);
  for (const name of loaded) await writeFile(join(dist, "bytecode", name), stub(name, modules));
  for (const name of modules.keys()) {
    if (!loaded.has(name) && !apart.has(name)) await importShared(join(dist, name), name, loaded);
  }
}

/** What each module imports and exports. */
async function readModules(dist: string): Promise<Modules> {
  const names = (await readdir(dist, { recursive: true })).map((name) => name.replaceAll("\\", "/"));
  const entryPoints = names.filter((name) => name.endsWith(".js") && !name.startsWith("console/page/"));
  const { metafile } = await build({
    entryPoints,
    absWorkingDir: join(process.cwd(), dist),
    outdir: ".",
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    metafile: true,
    logLevel: "error",
    plugins: [leaveImports(() => undefined)],
  });
  const outputs = Object.values(metafile.outputs);
  return new Map(outputs.flatMap((output) => (output.entryPoint === undefined ? [] : [[output.entryPoint, output]])));
}

/** All modules that these import statically. @param more Kinds of other imports that count. */
function reachableFrom(first: RegExp, modules: Modules, more: readonly string[] = []): ReadonlySet<string> {
  const kinds = ["import-statement", ...more];
  const found = new Set([...modules.keys()].filter((name) => first.test(name)));
  for (const name of found) {
    for (const { path, kind } of modules.get(name)?.imports ?? []) {
      if (kinds.includes(kind) && path.startsWith(".")) found.add(resolved(name, path));
    }
  }
  return found;
}

const resolved = (importer: string, path: string) => posix.join(posix.dirname(importer), path);

/** Leaves imports as they are, or as `rename` says. */
function leaveImports(rename: (path: string, kind: string) => string | undefined | null): Plugin {
  return {
    name: "leave-imports",
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, kind }) => {
        if (kind === "entry-point") return undefined;
        const renamed = rename(path, kind);
        return renamed === null ? undefined : { path: renamed ?? path, external: true };
      });
    },
  };
}

async function writeScript(dist: string, loaded: ReadonlySet<string>): Promise<void> {
  const exported = [...loaded].map((name) => `export * as ${JSON.stringify(name)} from "./${name}";\n`);
  const rename = (path: string, kind: string) => {
    if (!path.startsWith(".")) return path;
    if (kind === "import-statement") return null;
    const name = posix.normalize(path);
    return loaded.has(name) ? `./${name}` : `../${name}`;
  };
  const { outputFiles, metafile } = await build({
    stdin: { contents: exported.join(""), resolveDir: dist },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    minify: true, // reading the text is half of what remains
    write: false,
    outfile: "script.cjs",
    metafile: true,
    logLevel: "error",
    plugins: [leaveImports(rename)],
  });
  const [output] = Object.values(metafile.outputs);
  const dynamic = output?.imports.filter(({ kind }) => kind === "dynamic-import").length;
  let replaced = 0;
  const text = (outputFiles[0]?.text ?? "").replace(/\bimport\((?=")/g, () => {
    replaced++;
    return "__import(";
  });
  if (replaced !== dynamic) throw new Error(`${replaced} of ${dynamic} imports of the script were found.`);
  // A name of its own for each text: V8 compares only the length.
  const file = `script-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.cjs`;
  await writeFile(join(dist, "bytecode", file), `${SCRIPT_START}${text}\n${SCRIPT_END}`);
  await writeFile(
    join(dist, "bytecode/script.js"),
    `import { loadScript } from "./load-script.js";
export const modules = loadScript(new URL("./${file}", import.meta.url), (name) => import(name));
`,
  );
}

function stub(name: string, modules: Modules): string {
  const names = modules.get(name)?.exports ?? [];
  const bindings = names.map((exported, at) => `${exported}: e${at}`).join(", ");
  const exports = names.map((exported, at) => `e${at} as ${exported}`).join(", ");
  return `import { modules } from "./script.js";
const { ${bindings} } = modules[${JSON.stringify(name)}];
export { ${exports} };
`;
}

async function importShared(file: string, importer: string, loaded: ReadonlySet<string>): Promise<void> {
  const text = await readFile(file, "utf8");
  const changed = text.replace(
    /^((?:import|export) (?:[^"\n]* from )?|\} from )"(\.[^"\n]+)";$/gm,
    (statement, start, path) => {
      const name = resolved(importer, path);
      return loaded.has(name) ? `${start}"#shared/${name}";` : statement;
    },
  );
  if (changed !== text) await writeFile(file, changed);
}
