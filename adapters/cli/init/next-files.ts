/** The files that mount Stepwell in Next.js. Pure. */
import type { ProjectFile, ProjectLayout } from "./project-file.ts";

/** In the order in which Next.js looks for them. It refuses the last one. */
const CONFIG_FILES = ["js", "mjs", "ts", "mts", "cjs"].map((extension) => `next.config.${extension}`);

/** @param instance The text of `stepwell.mjs`. */
export function nextFiles({ hasSourceFolder }: ProjectLayout, instance: string): readonly ProjectFile[] {
  const folder = hasSourceFolder ? "src/" : "";
  const up = hasSourceFolder ? "../" : "./";
  const route = `${folder}app/automation/[[...path]]/route`;
  const mounting = routeText(hasSourceFolder ? "../../../../" : "../../../");
  const hook = `${folder}instrumentation`;
  return [
    { path: "stepwell.mjs", text: instance },
    { path: `${route}.js`, text: mounting, places: places(route), addition: mounting.trimEnd() },
    { path: `${hook}.js`, text: instrumentationText(up), places: places(hook), addition: startText(up) },
    { path: "next.config.mjs", text: CONFIG, places: CONFIG_FILES, addition: EXTERNAL },
  ];
}

const places = (path: string) => ["ts", "js", "mjs"].map((extension) => `${path}.${extension}`);

const routeText = (up: string) => `import { handlers } from "${up}stepwell.mjs";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = handlers;
`;

const instrumentationText = (
  up: string,
) => `/** Starts Stepwell with the server, so that schedules and unfinished runs don't wait for a request. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { getStepwell } = await import("${up}stepwell.mjs");
  await getStepwell();
}
`;

const startText = (up: string) => `// In register(), so that Stepwell starts with the server:
if (process.env.NEXT_RUNTIME === "nodejs") {
  const { getStepwell } = await import("${up}stepwell.mjs");
  await getStepwell();
}`;

const EXTERNAL = `// Stepwell starts worker threads from its own files, so Next.js must not bundle it.
serverExternalPackages: ["stepwell"],`;

const CONFIG = `export default {
${EXTERNAL.replace(/^/gm, "  ")}
};
`;
