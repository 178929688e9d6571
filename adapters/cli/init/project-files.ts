/** The files of a new project: what every host has, and those of its host. Pure. */
import { SAMPLE_FILE, sampleText } from "../workflow-files/sample.ts";
import { WORKFLOWS_FOLDER } from "../workflow-files/workflow-file.ts";
import { HOSTS, type Host, type HostName } from "./hosts.ts";
import type { ProjectFile, ProjectLayout } from "./project-file.ts";

const CONFIG = `// The options of createStepwell: \`npx stepwell dev\` and the server use them.
import { defineService } from "stepwell";
import * as v from "valibot";

/** Your own functions, which steps of the type "service" call. */
const expenses = defineService({
  name: "expenses",
  actions: {
    book: {
      input: v.object({ employee: v.string(), amount: v.number() }),
      output: v.object({ id: v.string() }),
      async run({ employee, amount }, { idempotencyKey, log }) {
        // Pass the key to your provider, so that a repeated attempt takes effect once.
        log(\`\${employee} spent \${amount}\`);
        return { id: idempotencyKey };
      },
    },
  },
});

export default {
  services: [expenses],
  // Providers of the AI SDK for model steps: npm install ai @ai-sdk/openai
  // models: { openai: createOpenAI({ apiKey: process.env.OPENAI_API_KEY }) },
};
`;

const IGNORED = [".stepwell/", "node_modules/"];

export function projectFiles(host: HostName, project: ProjectLayout): readonly ProjectFile[] {
  const { files, built }: Host = HOSTS[host];
  const ignored = built === undefined ? IGNORED : [...IGNORED, built];
  return [
    { path: `${WORKFLOWS_FOLDER}/${SAMPLE_FILE}`, text: sampleText() },
    { path: "stepwell.config.mjs", text: CONFIG },
    ...files(project),
    { path: ".gitignore", text: `${ignored.join("\n")}\n`, keepsLines: true },
  ];
}
