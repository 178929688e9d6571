/** Files that take the longest, most of it waiting for processes: they run first in their projects. */
export const LONGEST: readonly string[] = [
  "test/runtimes/examples.test.ts",
  "test/runtimes/next.test.ts",
  "test/cli/dev.test.ts",
  "test/runtimes/cluster-example.test.ts",
  "test/runtimes/runtimes.test.ts",
  "test/faults/runs-kill.test.ts",
  "test/faults/poison.test.ts",
  "test/faults/upload-kill.test.ts",
  "test/safety/json-schemas.test.ts",
  "test/pages/upload-page.test.ts",
  "test/faults/browser-kill.test.ts",
];
