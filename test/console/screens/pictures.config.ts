/** For `npm run screens`. */
import { defineConfig } from "vitest/config";
import shared from "../../../vitest.config.ts";

export default defineConfig({
  test: {
    ...shared.test,
    projects: [
      {
        extends: true,
        test: {
          name: "screens",
          root: new URL("../../..", import.meta.url).pathname,
          include: ["test/console/screens/pictures.ts"],
          globalSetup: ["test/support/servers/browser.ts", "test/support/servers/console-page.ts"],
        },
      },
    ],
  },
});
