/** The servers that `stepwell init` can write. Pure. */
import { nextFiles } from "./next-files.ts";
import type { ProjectFile, ProjectLayout } from "./project-file.ts";

export interface Host {
  readonly title: string;
  /** What to type to install what the files import. */
  readonly install: string;
  /** What to type to start the server. */
  readonly start: string;
  /** Whether it compiles the modules of a package whose `"type"` is `"commonjs"`. */
  readonly takesCommonJs: boolean;
  /** Line of the .gitignore for what the host builds. */
  readonly built?: string;
  files(project: ProjectLayout): readonly ProjectFile[];
}

export type HostName = keyof typeof HOSTS;

/** The variables of the environment that every server reads. */
const VARIABLES = `const { PORT = "3000", STEPWELL_ADMIN_KEY, STEPWELL_SECRET, STEPWELL_BASE_URL } = process.env;
// The public URL, including the path at which Stepwell is mounted.
const baseUrl = STEPWELL_BASE_URL ?? \`http://localhost:\${PORT}/automation\`;`;

const CREATE = `const stepwell = createStepwell({
  // People sign in with a key, or with the session of your service: webConsole({ session, signIn }).
  console: webConsole(),
  ...config,
  baseUrl,
  // Enables the routes for apps and keys: a long random string.
  adminKey: STEPWELL_ADMIN_KEY,
  // Encrypts credentials: the output of \`openssl rand -base64 32\`.
  secret: STEPWELL_SECRET,
  storage: { entities: fsDriver({ base: ".stepwell" }) },
});`;

const IMPORTS = `import { createStepwell } from "stepwell";
import { webConsole } from "stepwell/console";
import fsDriver from "stepwell/storage/fs";
import config from "./stepwell.config.mjs";`;

const CLOSE = `
// Stores what is pending, so that the next start continues at once.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await stepwell.close();
    process.exit();
  });
}
`;

const READY = `console.log(\`Stepwell is at \${baseUrl}, and its console at \${baseUrl}/console/\`);`;

/** A server of one file. The comment at its top says how to start it. */
function server(start: string, imports: string, mount: string): ProjectFile {
  const text = `// ${start}\n${imports}\n\n${VARIABLES}\n\n${CREATE}\n\n${mount}\n${CLOSE}`;
  return { path: "server.mjs", text };
}

export const HOSTS = {
  express: {
    title: "Express",
    install: "npm install stepwell valibot express",
    start: "node server.mjs",
    takesCommonJs: true,
    files: () => [
      server(
        "node server.mjs",
        `import express from "express";\n${IMPORTS}\nimport { toNodeHandler } from "stepwell/http/node";`,
        `const app = express();
// Before express.json(): signed webhooks need the original bytes of the body.
app.use("/automation", toNodeHandler(stepwell));
app.get("/", (_request, response) => void response.send("Hello"));
app.listen(Number(PORT), () => ${READY.slice(0, -1)});`,
      ),
    ],
  },
  hono: {
    title: "Hono",
    install: "npm install stepwell valibot hono @hono/node-server",
    start: "node server.mjs",
    takesCommonJs: true,
    files: () => [
      server(
        "node server.mjs",
        `import { serve } from "@hono/node-server";\nimport { Hono } from "hono";\n${IMPORTS}`,
        `const app = new Hono();
app.all("/automation/*", (context) => stepwell.fetch(context.req.raw));
app.get("/", (context) => context.text("Hello"));
serve({ fetch: app.fetch, port: Number(PORT) }, () => ${READY.slice(0, -1)});`,
      ),
    ],
  },
  fastify: {
    title: "Fastify",
    install: "npm install stepwell valibot fastify",
    start: "node server.mjs",
    takesCommonJs: true,
    files: () => [
      server(
        "node server.mjs",
        `import Fastify from "fastify";\n${IMPORTS}\nimport { stepwellFastify } from "stepwell/fastify";`,
        `const app = Fastify();
app.register(stepwellFastify, { prefix: "/automation", stepwell });
app.get("/", async () => "Hello");
await app.listen({ port: Number(PORT) });
${READY}`,
      ),
    ],
  },
  bun: {
    title: "Bun",
    install: "bun add stepwell valibot",
    start: "bun server.mjs",
    takesCommonJs: true,
    files: () => [
      server(
        "bun server.mjs",
        IMPORTS,
        `// Without a limit for idle connections: events of a run may be far apart.
Bun.serve({ port: Number(PORT), idleTimeout: 0, fetch: (request) => stepwell.fetch(request) });
${READY}`,
      ),
    ],
  },
  deno: {
    title: "Deno",
    install: "deno add npm:stepwell npm:valibot",
    start: "deno run -A server.mjs",
    takesCommonJs: true,
    files: () => [
      server(
        "deno run -A server.mjs",
        `import process from "node:process";\n${IMPORTS}`,
        `Deno.serve({ port: Number(PORT), onListen() {} }, (request) => stepwell.fetch(request));
${READY}`,
      ),
    ],
  },
  next: {
    title: "Next.js",
    install: "npm install stepwell valibot next react react-dom",
    start: "npx next dev",
    takesCommonJs: false,
    built: ".next/",
    files: (project) => nextFiles(project, NEXT_INSTANCE),
  },
} as const satisfies Readonly<Record<string, Host>>;

export const HOST_NAMES = ["express", "hono", "bun", "deno", "fastify", "next"] as const satisfies readonly HostName[];

export function isHostName(name: string): name is HostName {
  return Object.hasOwn(HOSTS, name);
}

const NEXT_INSTANCE = `${IMPORTS.replace("\nimport fsDriver", '\nimport { nextStepwell } from "stepwell/next";\nimport fsDriver')}

${VARIABLES}

/** One instance per process, created when it is first used, and not during \`next build\`. */
export const { getStepwell, handlers } = nextStepwell(() =>
${CREATE.replace("const stepwell = ", "").replace(/;$/, ",").replace(/^/gm, "  ")}
);
`;
