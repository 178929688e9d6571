/** What the tests of runtimes do with the client: only what every runtime and browser has. */

/**
 * @param {typeof import("stepwell/client")} module
 * @param {{ url: string, key: string, workflow: string }} server
 */
export async function callClient({ createClient, StepwellError }, { url, key, workflow }) {
  const client = createClient({ url, key });
  const run = await client.runs.create("me", workflow, { input: { n: 21 } });
  const events = [];
  for await (const { id, type } of client.runs.events("me", run.id)) if (id !== undefined) events.push(type);
  const { output } = await client.runs.wait("me", run.id);
  const { upload_url } = await client.files.createUpload("me");
  const bytes = Uint8Array.from({ length: 600_000 }, (_, index) => index % 251);
  const sent = [];
  const file = await createClient({ url }).files.receive(upload_url, {
    name: "größe.bin",
    body: new Blob([bytes]).stream(),
    onProgress: (progress) => sent.push(progress.sent),
  });
  const { body } = await client.files.content("me", file.id, { start: 1_000, end: 500_000 });
  const read = new Uint8Array(await new Response(body).arrayBuffer());
  const { id: collection } = await client.collections.create("me", { name: "Loans" });
  const stream = new Blob(["loan:amount\n1\n2\n3\n"]).stream();
  const job = await client.records.import("me", collection, stream);
  const { report } = await client.jobs.wait("me", job.id);
  const amounts = [];
  const filter = [{ field: "loan:amount", op: "gt", value: 1 }];
  for await (const { data } of client.records.listAll("me", collection, { take: 1, filter })) {
    amounts.push(data.loan.amount);
  }
  const csv = await new Response(await client.records.export("me", collection)).text();
  const missing = await client.runs.get("me", "run_none").catch((error) => error);
  const aborted = await client
    .with({ signal: AbortSignal.abort("enough") })
    .me()
    .catch((reason) => reason);
  return {
    events,
    output,
    sent,
    file: [file.name, file.size],
    isRead: read.length === 499_000 && read.every((byte, index) => byte === (index + 1_000) % 251),
    report,
    amounts: amounts.sort(),
    csv: csv.split("\r\n").length,
    missing: [missing instanceof StepwellError, missing.code, missing.status],
    aborted,
  };
}
