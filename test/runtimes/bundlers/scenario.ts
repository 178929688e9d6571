/** What a bundled server does. Returns what its clients see. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../build.ts";
import { openTarget, type Target, uploadAddress } from "../target.ts";

const CODE = `
  const doubled: number = input.n * 2;
  await new Promise((resolve) => setTimeout(resolve, 1));
  console.log(new URL("https://example.com/path").pathname);
  return doubled;`;

/** Runs code, CEL, a pattern, a schedule, uploads and extraction. */
export async function exerciseServer(url: string) {
  const target = await openTarget({ url, publicUrl: url, readsJson: false, sendsLength: true, allowed: "" });
  const run = await runOf(target, calculation(), { n: 12 });
  const { code, end } = Object.fromEntries(run.steps.map((step: { key: string }) => [step.key, step]));
  return {
    status: run.status,
    output: code.output,
    logs: code.logs,
    taken: end.status,
    schedule: await scheduleStatus(target),
    csv: await textOf(target, "orders.csv", "name,total\nAnn,12\n"),
    html: await textOf(target, "page.html", "<p>Some <b>words</b>.</p>"),
    sheet: await textOf(target, "orders.xlsx"),
    pdf: await textOf(target, "story.pdf"),
    word: await textOf(target, "story.docx"),
    openapi: (await fetch(`${url}/openapi.json`)).status,
    model: await modelProblem(target),
  };
}

export function calculation() {
  const condition = "steps.code.output > 10 && matches(string(steps.code.output), '^2[0-9]$')";
  return [
    { type: "input", key: "start", input: { n: { type: "number" } }, destinations: ["code"] },
    { type: "code", key: "code", code: CODE, destinations: ["judge"] },
    { type: "branch", key: "judge", conditions: { high: { order: 1, condition, destinations: ["end"] } } },
    { type: "note", key: "end", note: "Done." },
  ];
}

export async function runOf(target: Target, steps: readonly object[], input: object = {}) {
  const { id } = await (await target.post("/workflows", { name: "Bundled", steps })).json();
  await target.post(`/workflows/${id}/versions`);
  return (await target.post(`/workflows/${id}/runs`, { input }, { prefer: "wait=9999" })).json();
}

/** The text of an uploaded document, or why it can't be read. @param content Left out, that of the test document. */
export async function textOf(target: Target, name: string, content?: string): Promise<string> {
  const bytes = content ?? new Uint8Array(await readFile(join(root, "test/files/documents", name)));
  const { url, fileId } = await uploadAddress(target);
  const form = new FormData();
  form.set("file", new Blob([bytes]), name);
  await fetch(url, { method: "POST", body: form });
  const action = { service: "files", action: "extract_text", input: { file_id: fileId } };
  const { steps } = await runOf(target, [{ type: "service", key: "read", service: action }]);
  return steps[0].output?.text ?? steps[0].error.message;
}

async function scheduleStatus(target: Target): Promise<number> {
  const { id } = await (await target.post("/workflows", { name: "Daily", steps: calculation() })).json();
  await target.post(`/workflows/${id}/versions`);
  return (
    await target.post("/schedules", { workflow_id: id, input: { n: 12 }, cron: "0 9 * * *", timezone: "Europe/Berlin" })
  ).status;
}

async function modelProblem(target: Target): Promise<string> {
  const steps = [{ type: "model", key: "ask", provider: { provider: "any", model: "any", messages: "" } }];
  const { id } = await (await target.post("/workflows", { name: "Model", steps })).json();
  const { errors } = await (await target.post(`/workflows/${id}/validate`)).json();
  return errors[0]?.message ?? "";
}
