/** The import rules and other rules of the source. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Importable everywhere: knows nothing of apps, workflows or HTTP. */
const BASE = [
  "src/errors.ts",
  "src/json.ts",
  "src/schema.ts",
  "src/documents",
  "src/encoding",
  "src/messages",
  "src/ports",
  "src/queues",
  "src/time",
];

/** What every slice may know of its caller. */
const CALL = ["src/calls"];

/** What all implementations of the store port have in common. */
const STORE_PARTS = [
  "src/storage/commits",
  "src/storage/documents/deep-freeze.ts",
  "src/storage/lists/combined-totals.ts",
  "src/storage/lists/position.ts",
  "src/storage/lists/row-page.ts",
  "src/storage/keys.ts",
];

/** A slice is a folder with routes, the only file of it that knows HTTP. */
const ROUTES = /^(src\/[a-z-]+)\/routes\.ts$/;
const SLICES = sources("src").flatMap((file) => ROUTES.exec(file)?.[1] ?? []);

/**
 * Who may import whom: a file may import its own room and what stands on its line; the longest match decides. A slice
 * without a line of its own needs no other slice.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(SLICES.map((slice) => [slice, [...BASE, ...CALL]])),

  "src/errors.ts": [],
  "src/json.ts": BASE,
  "src/schema.ts": BASE,
  "src/ids.ts": BASE,
  "src/calls": [...BASE, "src/runs/run-executor.ts"],
  "src/documents": BASE,
  "src/encoding": BASE,
  "src/encryption": BASE,
  "src/messages": BASE,
  "src/ports": BASE,
  "src/queues": [],
  "src/time": BASE,
  "src/storage": BASE,
  "src/net": BASE,
  "src/signatures": [...BASE, ...CALL],

  "src/mcp": [...BASE, ...CALL, "src/api/api.ts"],
  "src/connections": [...BASE, ...CALL],
  "src/health": BASE,
  "src/uploads": [...BASE, "src/files", "src/web-pages"],
  "src/workflows": [...BASE, ...CALL, "src/hooks", "src/net/web-url.ts", "src/app-events/app-event.ts"],
  "src/runs": [...BASE, ...CALL, "src/apps", "src/workflows", "src/files", "src/jobs", "src/app-events/app-event.ts"],
  "src/runs/inspection/routes.ts": [...BASE, "src/apps", "src/workflows", "src/files", "src/runs", "src/http/route.ts"],
  "src/app-events": [...BASE, ...CALL, "src/runs", "src/workflows", "src/hooks/pick-fields.ts"],
  "src/definitions": [
    ...BASE,
    ...CALL,
    "src/workflows",
    "src/hooks",
    "src/schedules",
    "src/collections",
    "src/connections",
    "src/webhooks",
  ],
  "src/definitions/usage/routes.ts": [...BASE, "src/definitions", "src/http/route.ts"],
  "src/web-pages": BASE,
  "src/forms": [
    ...BASE,
    ...CALL,
    "src/apps/app.ts",
    "src/connections/connection.ts",
    "src/files/create-file.ts",
    "src/files/discard-files.ts",
    "src/files/file.ts",
    "src/files/file-name.ts",
    "src/hooks/hook-registry.ts",
    "src/hooks/pick-fields.ts",
    "src/hooks/sender-files.ts",
    "src/hooks/request-receipts.ts",
    "src/runs",
    "src/workflows",
    "src/web-pages",
  ],
  "src/schedules": [...BASE, "src/runs", "src/workflows"],
  "src/hooks/routes.ts": [
    ...BASE,
    "src/hooks",
    "src/signatures/signature-settings.ts",
    "src/runs/run.ts",
    "src/forms",
    "src/web-pages",
  ],
  "src/hooks": [...BASE, ...CALL, "src/signatures", "src/runs", "src/workflows", "src/files"],
  "src/collections": [
    ...BASE,
    ...CALL,
    "src/jobs",
    "src/signatures",
    "src/apps",
    "src/workflows",
    "src/runs",
    "src/files/file.ts",
  ],
  "src/events": [...BASE, "src/collections", "src/files", "src/runs", "src/workflows"],
  "src/collections/evaluation/routes.ts": [...BASE, ...CALL, "src/collections", "src/jobs", "src/http/route.ts"],
  "src/collections/rules/routes.ts": [...BASE, "src/collections", "src/http/route.ts"],
  "src/collections/transfer": [
    ...BASE,
    "src/collections",
    "src/jobs",
    "src/files/orphan-blobs.ts",
    "src/files/store-blob.ts",
  ],
  "src/collections/transfer/routes.ts": [
    ...BASE,
    ...CALL,
    "src/collections",
    "src/jobs",
    "src/http/route.ts",
    "src/files/file-name.ts",
  ],
  "src/collections/triggers/routes.ts": [...BASE, "src/collections", "src/http/route.ts", "src/signatures"],
  "src/webhooks": [...BASE, ...CALL, "src/queues/semaphore.ts", "src/events", "src/net", "src/signatures"],
  "src/services": [
    ...BASE,
    "src/files",
    "src/net",
    "src/hooks/hook-response.ts",
    "src/api/api.ts",
    "src/app-events",
    "src/forms",
    "src/schedules",
    "src/workflows",
    "src/collections",
  ],
  "src/app-stream": [
    ...BASE,
    ...CALL,
    "src/apps",
    "src/cluster",
    "src/collections",
    "src/events",
    "src/jobs",
    "src/runs",
    "src/workflows",
  ],
  "src/summary": [...BASE, ...CALL, "src/runs", "src/schedules", "src/workflows"],
  "src/cluster": BASE,
  "src/engine": [
    ...BASE,
    "src/cluster",
    "src/net",
    "src/workflows",
    "src/files",
    "src/runs",
    "src/services",
    "src/connections",
    "src/app-events",
  ],

  "src/http": [...BASE, ...CALL],
  "src/api": [...BASE, ...CALL, ...SLICES, "src/http/route.ts", "src/signatures/signature-settings.ts"],
  "src/api/storage": ["src", "adapters"],
  "src/options": [
    ...BASE,
    "src/net",
    "src/http",
    "src/mcp/mcp-server.ts",
    "src/console/web-console.ts",
    "src/services",
    "src/runs",
    "src/collections/triggers/trigger-type.ts",
  ],
  "src/options/default-adapters.ts": ["src/options", "src/ports", "adapters"],
  "src/compose": ["src", "adapters/storage/memory.ts"],
  // At run time only five files of them; see "of the client".
  "src/client": ["src"],
  "src/create.ts": ["src", "adapters/crypto/node-hash.ts", "adapters/http/json-response.ts"],
  "src/testing": ["src"],
  "src/index.ts": ["src"],
  "adapters/http/json-response.ts": ["src/http/response.ts"],
  "adapters/mcp": [
    ...BASE,
    "src/mcp/mcp-server.ts",
    "src/forms/waiting-input.ts",
    "src/runs/run.ts",
    "src/services",
    "src/workflows",
    "adapters/package-problem.ts",
  ],
  "adapters/console": [...BASE, "src/console/web-console.ts"],
  // A program in the browser: it talks to the server through the client, and takes from src what both must agree on.
  "adapters/console/app": [...BASE, "src"],
  // A program: it talks to servers through the client, and mounts the library only for development.
  "adapters/cli": [
    ...BASE,
    "src/client",
    "src/index.ts",
    "src/definitions/diff",
    "src/workflows/input/field-value.ts",
    "adapters",
  ],
  "adapters/storage/sqlite": [
    ...BASE,
    ...STORE_PARTS,
    "adapters/crypto/node-hash.ts",
    "adapters/package-problem.ts",
    "adapters/storage/fs",
  ],
  "adapters/storage/postgres": [...BASE, ...STORE_PARTS, "adapters/package-problem.ts"],
  "adapters/storage/redis-store": [...BASE, ...STORE_PARTS, "adapters/storage"],
  adapters: [...BASE, "src/net/retry-after.ts", "src/net/transient-status.ts", "src/index.ts"],
};

/** Files and folders per folder that a reader can take in. */
const MAX_FILES = 20;

/** Names without a subject, which say nothing about the content of a file. */
const VAGUE = /^(common|due|helpers?|managers?|misc|moments|pace|parts|raw|slots|texts|turns|utils?)$/;

/** Uses of time and randomness outside the ports, each with its reason. */
const TIME_AND_CHANCE: Readonly<Record<string, string>> = {
  "src/client/backoff.ts": "runs at callers, which have no ports",
  "src/client/connection.ts": "limits for real connections",
  "src/client/streams/event-stream.ts": "limits for real connections",
  "src/client/streams/follow.ts": "measures how long a stream has lived",
  "src/client/table-functions.ts": "new idempotency keys",
  "src/client/wait-until-ended.ts": "measures how long it has waited",
  "src/time/keep-running.ts": "keeps the process alive",
  "src/time/system-clock.ts": "the clock of the machine",
  "src/create.ts": "gives the clock of the machine where there is no other",
  "src/ids.ts": "ids that nobody can guess",
  "src/api/storage/migrate-storage.ts": "gives the clock of the machine to both storages",
  "src/api/storage/repair-storage.ts": "gives the clock of the machine to a repair, which waits for a driver with it",
  "src/encryption/encryption.ts": "a nonce for each encryption",
  "src/signatures/signing-secrets.ts": "new secrets",
  "src/engine/steps/code.ts": "a limit for the sandbox's own thread",
  "src/net/guarded-fetch.ts": "limits for real sockets",
  "src/runs/event-stream.ts": "keeps real connections alive",
  "src/web-pages/respond.ts": "a nonce for each page",
  "src/uploads/page/progress-script.ts": "runs in browsers",
  "src/uploads/page/script.ts": "runs in browsers",
  "src/uploads/page/tus-client-script.ts": "runs in browsers",
  "src/uploads/routes.ts": "evens out what real processing takes",
  "src/testing/clock.ts": "lets real turns of the event loop pass",
};

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

const files = [...sources("src"), ...sources("adapters")];
const text = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
/** Without comments, which may mention anything. */
const code = new Map([...text].map(([file, all]) => [file, all.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, "")]));
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"(\.[^"]+)"|import\("(\.[^"]+)"\)/g;

function imports(file: string): string[] {
  return [...(text.get(file) ?? "").matchAll(IMPORT)].map((match) =>
    relative(root, join(root, dirname(file), match[1] ?? match[2] ?? "")),
  );
}

function within(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function rule(file: string): readonly string[] {
  const place = Object.keys(MAY_IMPORT)
    .filter((key) => within(file, key))
    .sort((one, other) => other.length - one.length)[0];
  if (place === undefined) throw new Error(`${file} is in no folder that the dependency rule names`);
  const own = /\.tsx?$/.test(place) ? [] : [place];
  const routes = ROUTES.test(file) ? ["src/http/route.ts"] : [];
  return [...own, ...routes, ...(MAY_IMPORT[place] ?? [])];
}

describe("source files", () => {
  it("are found", () => expect(files.length).toBeGreaterThan(40));

  it("import only what their folder may import", () => {
    const forbidden = files.flatMap((file) => {
      const allowed = rule(file);
      return imports(file)
        .filter((target) => !allowed.some((place) => within(target, place)))
        .map((target) => `${file} imports ${target}`);
    });
    expect(forbidden).toEqual([]);
  });

  it("have no import cycles, including type imports", () => {
    const graph = new Map(files.map((file) => [file, imports(file)]));
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      expect(path, `cycle: ${[...path, file].join(" -> ")}`).not.toContain(file);
      if (done.has(file)) return;
      for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
  });

  it.each([
    ["any", code, /\bas any\b|: any\b|<any>/],
    ["disabled check", text, /@ts-(ignore|nocheck|expect-error)|biome-ignore/],
    ["open work", text, /\b(TODO|FIXME|XXX|HACK)\b|not implemented/],
    ["property spread in through a condition", code, /\.\.\.\([^\n]*(\? \{\} : \{|: \{\}\))/],
  ])("contain no %s", (_, where, pattern) => {
    expect(files.filter((file) => pattern.test(where.get(file) ?? ""))).toEqual([]);
  });

  it("of the engine decide in admission, and act in dispatch, without being imported by what is below", () => {
    const importing = (room: string, from: readonly string[]) =>
      files.filter(
        (file) => from.some((place) => within(file, place)) && imports(file).some((one) => within(one, room)),
      );
    const below = ["state", "progress", "execution", "compile", "expressions"].map((room) => `src/engine/${room}`);
    expect(importing("src/engine/admission", below)).toEqual([]);
    expect(importing("src/engine/dispatch", [...below, "src/engine/admission"])).toEqual([]);
  });

  it("of the client import only types from elsewhere, so that bundles for browsers contain nothing of the server", () => {
    const shared = [
      "src/api/all-pages.ts",
      "src/encoding/json-pointer.ts",
      "src/errors.ts",
      "src/json.ts",
      "src/time/unless-aborted.ts",
    ];
    const client = files.filter((file) => within(file, "src/client"));
    expect(client).not.toEqual([]);
    const found = [...client, ...shared].flatMap((file) =>
      [...(text.get(file) ?? "").matchAll(/(?:^|\n)(?:import|export) (?!type\b)[^"';]*?from "(\.[^"]+)"/g)]
        .map(([, target = ""]) => relative(root, join(root, dirname(file), target)))
        .filter((target) => !within(target, "src/client") && !shared.includes(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(found).toEqual([]);
  });

  it("list storage keys only in the repair", () => {
    const found = files.filter((file) => /\.getKeys\(|driver\.clear\(/i.test(code.get(file) ?? ""));
    expect(found).toEqual(["src/storage/repair/repair.ts"]);
  });

  it("under src use no Node.js API", () => {
    const pattern = /["']node:|\bBuffer\b|\bprocess\./;
    expect(files.filter((file) => file.startsWith("src/") && pattern.test(code.get(file) ?? ""))).toEqual([]);
  });

  it("under src take time and randomness from the ports", () => {
    const pattern =
      /Math\.random|Date\.now|new Date\(\)|performance\.now|\bset(Timeout|Interval|Immediate)\(|AbortSignal\.timeout|getRandomValues|randomUUID|"nanoid"|\bsystemClock\b/;
    const found = files.filter((file) => file.startsWith("src/") && pattern.test(code.get(file) ?? ""));
    expect(found).toEqual(Object.keys(TIME_AND_CHANCE).sort());
  });

  it("are at most six at the root of src and 20 per folder", () => {
    const inFolder = (folder: string) => files.filter((file) => dirname(file) === folder).length;
    expect(inFolder("src")).toBeLessThanOrEqual(6);
    expect([...new Set(files.map(dirname))].filter((folder) => inFolder(folder) > MAX_FILES)).toEqual([]);
  });

  it("are named by their subject", () => {
    expect(files.filter((file) => VAGUE.test(basename(file).replace(/\.tsx?$/, "")))).toEqual([]);
  });

  it("use no variables named with underscores only", () => {
    expect(files.filter((file) => /\b_{2,}\b/.test(code.get(file) ?? ""))).toEqual([]);
  });

  it("have at most 300 lines", () => {
    const long = files.filter((file) => (text.get(file) ?? "").split("\n").length > 300);
    expect(long).toEqual([]);
  });
});
