/** What the benches work on. */

export const definition = {
  input: {
    report: { type: "file", name: "Report", allowed_types: ["text/csv"], extract_contents: true },
    limit: { type: "number", name: "Limit", default: 1000 },
  },
  input_default: { limit: 1000 },
  input_options: { display: { field: "stacked" } },
  steps: [
    { type: "input", key: "start", input: { limit: { type: "number", default: 1000 } }, destinations: ["judge"] },
    {
      type: "branch",
      key: "judge",
      conditions: { high: { order: 1, condition: "input.limit > 500.0", destinations: ["call"] } },
      else: ["end"],
    },
    {
      type: "http_request",
      key: "call",
      method: "POST",
      url: "https://accounting.example/bookings",
      headers: { "content-type": "application/json" },
      body: '{"limit": {{ input.limit }}}',
      destinations: ["end"],
    },
    { type: "note", key: "end", note: "# Done\nThe report was booked." },
  ],
};

/** An app with a key and a deployed workflow. */
export async function deployed(stepwell) {
  const app = await stepwell.apps.create({ name: "Bench" });
  const { key } = await stepwell.keys.create(app.id, { name: "bench" });
  const workflow = await stepwell.workflows.create(app.id, { name: "Intake", description: "Reports", ...definition });
  const version = await stepwell.workflows.deploy(app.id, workflow.id, { notes: "first" });
  return { app, key, workflow, version };
}

const FIRST = ["Loan", "Lease", "Credit", "Harbour", "Cargo", "Transit", "Customs", "Freight", "Storage", "Escrow"];
const SECOND = ["applications", "reviews", "documents", "invoices", "claims", "permits", "audits", "renewals"];

/** The nth collection: names that look like names; one in 500 has to do with whales. */
export function collection(n) {
  const subject = n % 500 === 0 ? "Whale" : FIRST[n % FIRST.length];
  return {
    name: `${subject} ${SECOND[n % SECOND.length]} ${n}`,
    description: `Records of region ${n % 97}, kept since ${2000 + (n % 26)}`,
    visibility: n % 3 === 0 ? "PUBLIC" : "PRIVATE",
  };
}

/** Creates collections, several at a time. */
export async function fill(stepwell, appId, from, to, at_once = 256) {
  let next = from;
  const lane = async () => {
    while (next < to) await stepwell.collections.create(appId, collection(next++));
  };
  await Promise.all(Array.from({ length: at_once }, lane));
}
