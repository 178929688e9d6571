/** How browsers encode names and values of forms (HTML standard): escaped quotes, and line ends as CR LF. */
import { describe, expect, it } from "vitest";
import type { InputDefinition } from "../../src/index.ts";
import { openService, step } from "../support/engine/service.ts";
import { form, openForms } from "../support/forms/open-forms.ts";

const NAMES = ['size 3"', "a\nb", "a\r\nb", "a\rb", "100%22", "%0D"];

describe("a field whose name has a quote, a line break or a percent sign", () => {
  it.each(NAMES)("gets its value from a browser: %j", async (name) => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked({ [name]: { type: "string", optional: true } });
    expect(await send(link.url, form({ [`/${name}`]: "XL" }))).toMatchObject({ status: 200 });
    expect(step(await wait(run.id), "ask").output).toEqual({ [name]: "XL" });
  });

  it("gets its file from a browser", async () => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked({ 'scan "A"': { type: "file" } });
    const sent = await send(link.url, form({ '/scan "A"': new File(["x"], "a.txt") }));
    expect(sent).toMatchObject({ status: 200 });
    expect(step(await wait(run.id), "ask").output).toMatchObject({ 'scan "A"': [{ name: "a.txt" }] });
  });

  it("gets its value in multipart/form-data for a webhook", async () => {
    const { stepwell, app, deploy } = await openService({ baseUrl: "https://flows.test" });
    const input: InputDefinition = Object.fromEntries(NAMES.slice(0, 2).map((name) => [name, { type: "string" }]));
    input['scan "A"'] = { type: "file" };
    const workflow = await deploy([{ type: "input", key: "in", input, webhook: { method: "POST", path: "leads" } }]);
    const [hook] = (await stepwell.hooks.list(app)).items;
    const { body } = form({ 'size 3"': "XL", "a\nb": "x", 'scan "A"': new File(["x"], "a.txt") });
    const response = await stepwell.fetch(new Request(hook?.url ?? "", { method: "POST", body }));
    expect(response.status).toBe(202);
    const [run] = (await stepwell.runs.list(app, { workflow_id: workflow })).items;
    const { output } = await stepwell.runs.wait(app, run?.id ?? "");
    expect(output).toMatchObject({ 'size 3"': "XL", "a\nb": "x", 'scan "A"': [{ name: "a.txt" }] });
  });
});
