/** Files that take the longest, most of it waiting for processes: they run first in their projects. */
export const LONGEST: readonly string[] = [
  "test/runtimes/examples.long.test.ts",
  "test/runtimes/next.long.test.ts",
  "test/cli/dev.long.test.ts",
  "test/runtimes/cluster-example.long.test.ts",
  "test/runtimes/runtimes.test.ts",
  "test/faults/runs-kill.test.ts",
  "test/faults/poison.long.test.ts",
  "test/faults/upload-kill.long.test.ts",
  "test/safety/json-schemas.long.test.ts",
  "test/pages/upload-page.long.test.ts",
  "test/faults/browser-kill.long.test.ts",
];
