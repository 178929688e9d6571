import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    pool: "forks",
    execArgv: ["--import", "./test/typescript/register.js"],
    maxWorkers: 2,
    setupFiles: ["test/seed.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "source",
          include: ["test/**/*.test.ts"],
          exclude: ["test/runtimes/**"],
          globalSetup: ["test/servers/browser.ts", "test/servers/setup.ts"],
          typecheck: { enabled: true, include: ["test/types/*.test-d.ts"] },
        },
      },
      {
        extends: true,
        test: {
          name: "package",
          include: ["test/runtimes/*.test.ts"],
          globalSetup: ["test/servers/browser.ts", "test/runtimes/build.ts"],
        },
      },
    ],
  },
});
