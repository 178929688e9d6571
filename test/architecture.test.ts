/** The dependency rule and the other promises that the source keeps about itself. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What stands at the bottom and knows nothing of workflows. */
const BASE = [
  "src/encoding",
  "src/errors.ts",
  "src/json.ts",
  "src/schema.ts",
  "src/page.ts",
  "src/params.ts",
  "src/clock.ts",
  "src/closest-name.ts",
  "src/issue-sentence.ts",
  "src/variant-message.ts",
  "src/web-address.ts",
  "src/caller.ts",
  "src/documents.ts",
  "src/expiry.ts",
  "src/hourly.ts",
  "src/base64.ts",
  "src/timers.ts",
  "src/turns.ts",
  "src/background.ts",
  "src/ports",
];

/** Who may import whom: a file may import its own folder and what stands on its line; the longest match decides. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/errors.ts": [],
  "src/encoding": BASE,
  "src/json.ts": BASE,
  "src/schema.ts": BASE,
  "src/page.ts": BASE,
  "src/clock.ts": BASE,
  "src/closest-name.ts": [],
  "src/issue-sentence.ts": BASE,
  "src/variant-message.ts": BASE,
  "src/web-address.ts": [],
  "src/caller.ts": BASE,
  "src/documents.ts": BASE,
  "src/expiry.ts": BASE,
  "src/hourly.ts": BASE,
  "src/base64.ts": BASE,
  "src/timers.ts": BASE,
  "src/turns.ts": [],
  "src/background.ts": BASE,
  "src/health": [...BASE, "src/background.ts"],
  "src/ids.ts": BASE,
  "src/lazily.ts": BASE,
  "src/secrets.ts": BASE,
  "src/params.ts": BASE,
  "src/ports": BASE,
  "src/storage": BASE,
  "src/net": BASE,
  "src/apps": BASE,
  "src/workflows": BASE,
  "src/files": BASE,
  "src/uploads": [...BASE, "src/files"],
  "src/collections": [...BASE, "src/apps", "src/workflows", "src/runs"],
  "src/runs": [...BASE, "src/apps", "src/workflows", "src/files"],
  "src/schedules": [...BASE, "src/runs", "src/workflows"],
  "src/connections": BASE,
  "src/webhooks": [...BASE, "src/runs", "src/workflows"],
  "src/services": [...BASE, "src/api.ts", "src/schedules", "src/workflows", "src/collections"],
  "src/engine": [...BASE, "src/net", "src/workflows", "src/files", "src/runs", "src/services", "src/connections"],
  "src/core.ts": [
    "src/health",
    "src/apps",
    "src/workflows",
    "src/runs",
    "src/schedules",
    "src/connections",
    "src/webhooks",
    "src/services",
    "src/files",
    "src/uploads",
    "src/collections",
  ],
  "src/http": [...BASE, "src/core.ts", "src/apps"],
  "src/http/route.ts": [...BASE, "src/core.ts"],
  "src/routes.ts": [
    "src/health",
    "src/apps",
    "src/workflows",
    "src/runs",
    "src/schedules",
    "src/connections",
    "src/webhooks",
    "src/services",
    "src/files",
    "src/uploads",
    "src/collections",
    "src/http/route.ts",
  ],
  "src/service-functions.ts": [...BASE, "src/core.ts", "src/http/route.ts"],
  "src/process-functions.ts": [...BASE, "src/core.ts", "src/api.ts", "src/files", "src/service-functions.ts"],
  "src/api.ts": [
    ...BASE,
    "src/apps",
    "src/workflows",
    "src/runs",
    "src/schedules",
    "src/connections",
    "src/services",
    "src/webhooks",
    "src/files",
    "src/uploads",
    "src/collections",
  ],
  "src/logger.ts": BASE,
  "src/option-shapes.ts": BASE,
  "src/limit-ranges.ts": [],
  "src/options.ts": [
    ...BASE,
    "src/limit-ranges.ts",
    "src/option-shapes.ts",
    "src/net",
    "src/http",
    "src/services",
    "src/runs",
  ],
  "src/create.ts": ["src", "adapters"],
  "src/repair.ts": ["src", "adapters"],
  "src/loaded-adapters.ts": ["src/lazily.ts", "src/options.ts", "src/ports", "adapters"],
  "src/testing": ["src"],
  "src/index.ts": ["src"],
  adapters: [...BASE, "src/index.ts"],
};

/** A slice's only door to HTTP. */
const ROUTES = /^src\/[a-z]+\/routes\.ts$/;

/** Where time and chance come from other than the ports, and why. */
const TIME_AND_CHANCE: Readonly<Record<string, string>> = {
  "src/background.ts": "keeps the process alive",
  "src/clock.ts": "the clock of the machine",
  "src/create.ts": "gives the clock of the machine where there is no other",
  "src/ids.ts": "ids that nobody can guess",
  "src/repair.ts": "gives the clock of the machine to a repair, which waits for a driver with it",
  "src/secrets.ts": "a nonce for each encryption",
  "src/webhooks/signatures.ts": "new secrets",
  "src/storage/blobs.ts": "the clock of the machine where there is no other",
  "src/storage/log.ts": "names the owner of a log; only compared",
  "src/engine/retry-after.ts": "dates of other servers",
  "src/engine/steps/code.ts": "a limit for the sandbox's own thread",
  "src/engine/waiters.ts": "keeps the process alive",
  "src/process-functions.ts": "keeps the process alive",
  "src/net/guarded-fetch.ts": "limits for real sockets",
  "src/net/limited-body.ts": "limits for real sockets",
  "src/runs/event-stream.ts": "keeps real connections alive",
  "src/uploads/even-answers.ts": "evens out what real processing takes",
  "src/uploads/page/page.ts": "a nonce for each page",
  "src/uploads/page/meter.ts": "runs in browsers",
  "src/uploads/page/script.ts": "runs in browsers",
  "src/uploads/page/sending.ts": "runs in browsers",
  "src/testing/clock.ts": "lets real turns of the event loop pass",
  "src/storage/owner-item.ts": "tells two owners apart that took over in the same moment",
};

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

const files = [...sources("src"), ...sources("adapters")];
const text = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
/** Without comments, which may speak of anything. */
const code = new Map([...text].map(([file, all]) => [file, all.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, "")]));
const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"(\.[^"]+)"|import\("(\.[^"]+)"\)/g;
const TYPE_ONLY = /(?:^|\n)\s*(?:import|export)\s+type\s[^"';]*?from\s"(\.[^"]+)"/g;

function imports(file: string, pattern: RegExp): string[] {
  return [...(text.get(file) ?? "").matchAll(pattern)].map((match) =>
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
  if (place === undefined) throw new Error(`${file} stands in no folder that the dependency rule names`);
  const own = place.endsWith(".ts") ? [] : [place];
  const door = ROUTES.test(file) ? ["src/http/route.ts"] : [];
  return [...own, ...door, ...(MAY_IMPORT[place] ?? [])];
}

describe("the source", () => {
  it("is there to be checked", () => expect(files.length).toBeGreaterThan(40));

  it("imports only what the place of each file allows", () => {
    const forbidden = files.flatMap((file) => {
      const allowed = rule(file);
      return imports(file, IMPORT)
        .filter((target) => !allowed.some((place) => within(target, place)))
        .map((target) => `${file} imports ${target}`);
    });
    expect(forbidden).toEqual([]);
  });

  it("has no cycle of imports", () => {
    const graph = new Map(
      files.map((file) => {
        const types = new Set(imports(file, TYPE_ONLY));
        return [file, imports(file, IMPORT).filter((target) => !types.has(target))];
      }),
    );
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
    ["check turned off", text, /@ts-(ignore|nocheck|expect-error)|biome-ignore/],
    ["left work", text, /\b(TODO|FIXME|XXX|HACK)\b|not implemented/],
  ])("holds no %s", (_, where, pattern) => {
    expect(files.filter((file) => pattern.test(where.get(file) ?? ""))).toEqual([]);
  });

  it("lists keys only where a damaged storage is repaired", () => {
    const found = files.filter((file) => /\.getKeys\(|driver\.clear\(/i.test(code.get(file) ?? ""));
    expect(found).toEqual(["src/storage/repair.ts"]);
  });

  it("needs no Node under src", () => {
    const pattern = /["']node:|\bBuffer\b|\bprocess\./;
    expect(files.filter((file) => file.startsWith("src/") && pattern.test(code.get(file) ?? ""))).toEqual([]);
  });

  it("takes time and chance from the ports, so that a simulation repeats", () => {
    const pattern =
      /Math\.random|Date\.now|new Date\(\)|performance\.now|\bset(Timeout|Interval|Immediate)\(|AbortSignal\.timeout|getRandomValues|randomUUID|"nanoid"|\bsystemClock\b/;
    const found = files.filter((file) => file.startsWith("src/") && pattern.test(code.get(file) ?? ""));
    expect(found).toEqual(Object.keys(TIME_AND_CHANCE).sort());
  });

  it("keeps files short enough to read", () => {
    const long = files.filter((file) => (text.get(file) ?? "").split("\n").length > 320);
    expect(long).toEqual([]);
  });
});
