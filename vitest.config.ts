import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { FileOrder } from "./test/support/file-order.ts";
import { keepTemporaryFilesInMemory } from "./test/support/temporary-folder.ts";

/**
 * Tests that render pages, tests that need the Redis and S3 servers, tests that start processes or threads of their own,
 * many of them to kill them, and tests of hostile input and of faults, which repeat much; everything else is fast.
 */
const BROWSER = [
  "test/**/*browser*.test.ts",
  "test/pages/*.test.ts",
  // All tests of the page that is built, also those without a browser.
  "test/console/page/*.test.ts",
  "test/engine/example-workflows.*test.ts",
  "test/engine/gallery.*test.ts",
];
const SERVERS = [
  "test/cluster/bullmq/*.test.ts",
  "test/storage/{blobs,drivers,lost-owner-count,repair-drivers,store}.*test.ts",
  "test/storage/{postgres,redis-store}/*.test.ts",
  "test/storage/migrate/{missing-source,stores}.*test.ts",
  "test/files/{resumable-broken,resumable-client,single-use}.*test.ts",
  "test/faults/{takeover,uploads-storage}.*test.ts",
];
const PROCESSES = [
  "test/faults/{clock-jump,follower,poison,records-kill,runs-kill,storage-kill,storage-recovers,upload-kill}.*test.ts",
  "test/{safety/code,safety/net,storage/fs-lock}.*test.ts",
  "test/files/extract*.test.ts",
  "test/structure/*.test.ts",
];
const ROBUSTNESS = ["test/{faults,safety,simulation}/**/*.test.ts"];
const PACKAGE = ["test/runtimes/*.test.ts", "test/cli/dev.*test.ts"];
/** For Node.js with SQLite. Where it has none, test/run.js runs them on another one. */
export const SQLITE = ["test/storage/sqlite/*.test.ts"];
export const HAS_SQLITE = process.getBuiltinModule?.("node:sqlite") !== undefined;

const EXCLUDED = configDefaults.exclude;

export const PROJECTS: NonNullable<TestProjectInlineConfiguration["test"]>[] = [
  { name: "sqlite", include: HAS_SQLITE ? SQLITE : [] },
  {
    name: "fast",
    include: ["test/**/*.test.ts"],
    exclude: [...EXCLUDED, ...BROWSER, ...SERVERS, ...PROCESSES, ...ROBUSTNESS, ...PACKAGE, ...SQLITE],
  },
  {
    name: "robustness",
    // One project: the workers of each load all of src again.
    include: [...ROBUSTNESS, ...PROCESSES],
    exclude: [...EXCLUDED, ...BROWSER, ...SERVERS],
    globalSetup: ["test/faults/programs.ts"],
  },
  { name: "servers", include: SERVERS, globalSetup: ["test/support/servers/setup.ts"] },
  {
    name: "browser",
    include: BROWSER,
    exclude: [...EXCLUDED, ...PACKAGE],
    globalSetup: ["test/support/servers/browser.ts", "test/support/servers/console-page.ts"],
  },
  {
    name: "package",
    include: PACKAGE,
    globalSetup: ["test/support/servers/browser.ts", "test/runtimes/build.ts"],
  },
];

/** Only what hangs fails by time: how long a test takes says nothing of the code where the machine has other work. */
const PATIENCE_MS = 300_000;

keepTemporaryFilesInMemory();

export default defineConfig({
  test: {
    pool: "forks",
    experimental: { fsModuleCache: true },
    // Collecting short-lived objects takes a tenth of the time of tests where the young generation is small.
    // Threads and processes of the tests inherit what loads TypeScript.
    execArgv: ["--max-semi-space-size=64", "--import", "./test/support/typescript/register.js"],
    // Files share what a worker has read and compiled, and its browser: doing it for each takes longer than most tests.
    isolate: false,
    // Each loads and compiles all of src, and three keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: FileOrder },
    setupFiles: ["test/support/seed.ts"],
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    expect: { requireAssertions: true, poll: { timeout: PATIENCE_MS / 2, interval: 10 } },
    projects: PROJECTS.map((test) => ({ extends: true, test })),
  },
});
