// A file without an API key: by form, then resumed after a broken connection: node examples/uploads/uploads.js
import { once } from "node:events";
import { createServer } from "node:http";
import { createStepwell } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import { Upload } from "tus-js-client";

const server = createServer();
await once(server.listen(0, "127.0.0.1"), "listening");
const stepwell = createStepwell({ baseUrl: `http://127.0.0.1:${server.address().port}` });
server.on("request", toNodeHandler(stepwell));
const app = await stepwell.apps.create({ name: "Accounting" });

const upload = await stepwell.files.createUpload(app.id, { allowed_types: ["text/csv"], max_size: 10_000_000 });
const invoice = new Blob(["%PDF-1.7\n"]);
const expenses = new Blob(["date,amount\n2027-01-04,12.5\n2027-01-05,99\n"]);
console.log("invoice.pdf ", await send(upload.upload_url, invoice, "invoice.pdf")); // refused; the URL stays open
console.log("expenses.csv", await send(upload.upload_url, expenses, "expenses.csv"));
console.log("once more   ", await send(upload.upload_url, expenses, "expenses.csv"));

// The upload URL knows the id that the file will have, so a run can be created before the file is there.
const later = await stepwell.files.createUpload(app.id, { file_name: "orders.csv" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Count",
  steps: [
    { type: "input", key: "start", input: { orders: { type: "file", extract_contents: true } } },
    { type: "code", key: "count", code: "return input.orders[0].contents.trim().split('\\n').length" },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);
const input = { orders: later.future_file_id };
const { id, status } = await stepwell.runs.create(app.id, workflow.id, { input, wait_for_files: true });
console.log("run         ", status);

const orders = Buffer.from("order,amount\n".repeat(100_000));
await sendHalf(later.upload_url, orders);
const run = await stepwell.runs.wait(app.id, id);
console.log("run         ", run.status, run.output);

const { url } = await stepwell.files.createLink(app.id, later.future_file_id, { expires_in: 600 });
const range = await fetch(url, { headers: { range: "bytes=0-11" } });
console.log("download    ", range.status, await range.text());

await stepwell.close();
server.close();
server.closeAllConnections();

/** What an HTML form does. */
async function send(url, file, name) {
  const form = new FormData();
  form.append("file", file, name);
  const response = await fetch(url, { method: "POST", body: form });
  const { code, mime_type } = await response.json();
  return `${response.status} ${code ?? mime_type}`;
}

/** Breaks the connection in the middle of the file, then resumes where the server is. */
async function sendHalf(url, bytes) {
  const options = { endpoint: url, chunkSize: 500_000, metadata: { filename: "orders.csv" } };
  const previous = await new Promise((resolve, reject) => {
    const first = new Upload(bytes, {
      ...options,
      onChunkComplete(_, sent) {
        console.log("tus         ", `${sent} of ${bytes.length} bytes, then the connection breaks`);
        first.abort().then(() => resolve(first.url), reject);
      },
      onError: reject,
    });
    first.start();
  });
  const { headers } = await fetch(previous, { method: "HEAD", headers: { "tus-resumable": "1.0.0" } });
  console.log("tus         ", `resuming at ${headers.get("upload-offset")}`);
  await new Promise((resolve, reject) => {
    new Upload(bytes, { ...options, uploadUrl: previous, onSuccess: resolve, onError: reject }).start();
  });
}
