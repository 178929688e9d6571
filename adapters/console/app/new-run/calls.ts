/** A call that starts a run, as a command of a shell and as a program. */
import type { JsonObject } from "../../../../src/json.ts";

interface Call {
  /** URL at which Stepwell is mounted. */
  readonly server: string;
  readonly appId: string;
  readonly workflowId: string;
  readonly body: JsonObject;
}

export function curlCall({ server, appId, workflowId, body }: Call): string {
  const url = `${server}/apps/${encodeURIComponent(appId)}/workflows/${encodeURIComponent(workflowId)}/runs`;
  return [
    `curl -X POST ${quoted(url)}`,
    `-H "Authorization: Bearer $STEPWELL_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(" \\\n  ");
}

/** Nothing within single quotes means anything to a shell, except their end. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function clientCall({ server, appId, workflowId, body }: Call): string {
  const [url, app, workflow] = [server, appId, workflowId].map((text) => JSON.stringify(text));
  return `import { createClient } from "stepwell/client";

const client = createClient({ url: ${url}, key: process.env.STEPWELL_KEY ?? "" });
const run = await client.runs.create(${app}, ${workflow}, ${JSON.stringify(body, null, 2)});
console.log(run.id);
`;
}
