/** What `npm test` runs: all but the long files, as one project, because the workers of each would load all of src again. */
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import whole, { HAS_SQLITE, PROJECTS, SQLITE } from "../vitest.config.ts";

export default defineConfig({
  test: {
    ...whole.test,
    projects: [
      {
        extends: true,
        test: {
          name: "short",
          root: fileURLToPath(new URL("..", import.meta.url)),
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, "test/**/*.long.test.ts", ...(HAS_SQLITE ? [] : SQLITE)],
          globalSetup: [...new Set(PROJECTS.flatMap(({ globalSetup }) => globalSetup ?? []))],
        },
      },
    ],
  },
});
