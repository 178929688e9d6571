/** What a link shows above its form, and the names that a program may give to its fields. */
import { describe, expect, it } from "vitest";
import { input, step } from "../support/engine/service.ts";
import { form, HTML, openForms } from "../support/forms/open-forms.ts";

const HOSTILE =
  "[Approve here](https://evil.example)\n# Approved already\n    code\nhttps://evil.example <b>x</b> www.evil.example";

describe("the text above a form", () => {
  it("is plain text with its line breaks", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked(undefined, undefined, { text: HOSTILE });
    const { text } = await send(link.url, { headers: HTML });
    expect(text).toContain('<p class="text" dir="auto">[Approve here](https://evil.example)\n# Approved already');
    expect(text).not.toMatch(/<a [^>]*evil|<h2|<b>/);
  });

  it("is Markdown, in which escapeMarkdown shows values as they are", async () => {
    const { stepwell, app, deploy, until, send } = await openForms();
    const markdown = "**Why:** {{ escapeMarkdown(input.why) }}";
    const workflow = await deploy([
      input("in"),
      {
        type: "service",
        key: "link",
        service: { service: "inputs", action: "create_link", input: { step_key: "ask", markdown } },
      },
      input("ask", { input: { ok: { type: "boolean" } } }),
    ]);
    const run = await stepwell.runs.create(app, workflow, { input: { why: HOSTILE } });
    const waiting = await until(run.id, ({ status }) => status === "waiting");
    const { url } = step(waiting, "link").output as { url: string };
    const { text } = await send(url, { headers: HTML });
    expect(text).toContain("<strong>Why:</strong> [Approve here](https://evil.example)<br>");
    expect(text).not.toMatch(/<a [^>]*evil|<h2|<b>|<code>/);
  });

  it("is formatted, however long it is, if each paragraph is of a usual length", async () => {
    const { asked, send } = await openForms();
    const paragraph = "Some **bold** and *other* words, `code`, and a [link](https://x.test/).\n".repeat(8);
    const content = `${paragraph}\n- a list\n  - in a list\n\n`.repeat(200);
    const { link } = await asked({ terms: { type: "content", content }, ok: { type: "boolean" } });
    const { text } = await send(link.url, { headers: HTML });
    expect(text.match(/<strong>bold<\/strong>/g)).toHaveLength(1_600);
    expect(text.match(/<li>in a list<\/li>/g)).toHaveLength(200);
  });

  it.each(["*a ", "_a", "!", "a*"])("is shown as it is if %j is repeated in it", async (unit) => {
    const { asked, send } = await openForms();
    const markdown = unit.repeat(10_000 / unit.length);
    const { link } = await asked(undefined, undefined, { markdown });
    expect((await send(link.url, { headers: HTML })).text).toContain(`<p>${markdown}</p>`);
  });

  it("is shown as it is if it is nested too deeply", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked(undefined, undefined, { markdown: ">".repeat(10_000) });
    expect(await send(link.url, { headers: HTML })).toMatchObject({ status: 200 });
  });

  it("is either plain text or Markdown", async () => {
    const { asked } = await openForms();
    await expect(asked(undefined, undefined, { text: "a", markdown: "b" })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/markdown" }],
    });
  });
});

describe("a form that a program sends", () => {
  it("may name fields plainly, as requests to webhooks do", async () => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked({
      n: { type: "number" },
      "/slash": { type: "string" },
      group: { type: "object", fields: { city: { type: "string" } } },
    });
    const body = new FormData();
    body.append("n", "7");
    body.append("/~1slash", "a");
    body.append("/group/city", "Berlin");
    expect(await send(link.url, { method: "POST", body })).toMatchObject({ status: 200 });
    expect(step(await wait(run.id), "ask").output).toEqual({ n: 7, "/slash": "a", group: { city: "Berlin" } });
  });
});

describe("a file field with max_size", () => {
  const FIELDS = { scan: { type: "file", max_size: 5 } } as const;
  const scan = (text: string) => new File([text], "a.txt", { type: "text/plain" });

  it("tells people the limit, takes a file within it, and keeps nothing of a larger one", async () => {
    const { stepwell, app, asked, send, wait } = await openForms();
    const { run, link } = await asked(FIELDS);
    expect((await send(link.url, { headers: HTML })).text).toContain("Up to 5 bytes.");
    expect(await send(link.url, form({ "/scan": scan("123456") }))).toMatchObject({ status: 422 });
    expect((await stepwell.files.list(app)).total).toBe(0);
    expect(await send(link.url, form({ "/scan": scan("12345") }))).toMatchObject({ status: 200 });
    expect(step(await wait(run.id), "ask").output).toMatchObject({ scan: [{ size: 5 }] });
  });

  it("refuses a larger file of the app", async () => {
    const { stepwell, app, deploy } = await openForms();
    const workflow = await deploy([input("in", { input: FIELDS })]);
    const { id } = await stepwell.files.create(app, { name: "a.txt", body: new TextEncoder().encode("123456") });
    await expect(stepwell.runs.create(app, workflow, { input: { scan: [id] } })).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/input/scan/0", message: "The file has 6 bytes. The limit is 5 bytes." }],
    });
  });
});
