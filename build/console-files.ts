/** In the package, the files of the console are modules that build/pack-console.ts writes. */
import type { Plugin } from "esbuild";

/** Where they are. package.json names it, so that it is found from any chunk. */
export const CONSOLE_FOLDER = "dist/console/page";
const NAME = "#console-files";

export const consoleFiles: Plugin = {
  name: "console-files",
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]console[\\/]built-files\.ts$/ }, () => ({
      contents: `export const loadBuiltFiles = () => import("${NAME}");`,
      loader: "js",
    }));
    onResolve({ filter: new RegExp(`^${NAME}$`) }, () => ({ path: NAME, external: true }));
  },
};
