// A server with Stepwell, and clients of it: node examples/client/client.js
import { once } from "node:events";
import { createServer } from "node:http";
import { createStepwell } from "stepwell";
import { createClient } from "stepwell/client";
import { toNodeHandler } from "stepwell/http/node";

// The server. Usually, it is a program of its own.
const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}/automation`;
const stepwell = createStepwell({ baseUrl: url, adminKey: "local-admin-key" });
server.on("request", toNodeHandler(stepwell));

// With the admin key: an app and its key.
const admin = createClient({ url, key: "local-admin-key" });
const { id } = await admin.apps.create({ name: "Shop" });
const { key } = await admin.keys.create(id, { name: "back end" });

// With the key of the app, which is "me": a workflow and a run.
const client = createClient({ url, key });
const workflow = await client.workflows.create("me", {
  name: "Double",
  input: { n: { type: "number" } },
  steps: [{ type: "code", key: "double", code: "return input.n * 2" }],
});
await client.workflows.deploy("me", workflow.id);
const run = await client.runs.create("me", workflow.id, { input: { n: 21 } });
for await (const { type, at } of client.runs.events("me", run.id)) {
  if (at !== null && type.endsWith("succeeded")) console.log(type);
}
const { output } = await client.runs.wait("me", run.id);
console.log("output", output);
for await (const { status, tags } of client.runs.listAll("me", { status: "succeeded" })) console.log(status, tags);

// Errors are those of the functions in process.
await client.runs
  .create("me", workflow.id, { input: { n: "x" } })
  .catch(({ code, errors }) => console.log(code, errors));

// Without a key, such as in a browser: a file for an upload URL.
const { upload_url } = await client.files.createUpload("me", { allowed_types: ["text/plain"] });
const file = await createClient({ url }).files.receive(upload_url, {
  name: "letter.txt",
  body: new Blob(["Dear customer, …"]),
  onProgress: ({ sent, total }) => console.log(`${sent} of ${total} bytes`),
});
console.log(file.name, file.mime_type, file.size);

await stepwell.close();
server.close();
server.closeAllConnections();
