/** Files that somebody without a key names by their ids, in a webhook or a form. */
import { expect, it } from "vitest";
import type { InputDefinition, Step } from "../../src/index.ts";
import { give, input } from "../support/engine/service.ts";
import { BASE, form, json, openForms } from "../support/forms/open-forms.ts";

const FIELDS: InputDefinition = { group: { type: "object", fields: { docs: { type: "file", array: true } } } };
const bytes = new TextEncoder().encode("secret");

async function open() {
  const service = await openForms({ secret: "s".repeat(40) });
  const { stepwell, app, deploy } = service;
  const hook = (path: string, more: object) =>
    deploy([{ ...input("in", { input: FIELDS }), webhook: { method: "POST", path, ...more } } as Step, give("done")]);
  await hook("plain", {});
  await hook("start", { form: true });
  const at = (path: string) => `${BASE}/public/apps/hooks/${app}/${path}`;
  const upload = async (visibility: "PRIVATE" | "PUBLIC") => {
    const { upload_url, future_file_id } = await stepwell.files.createUpload(app, { visibility });
    await stepwell.files.receive(upload_url, { body: bytes });
    return future_file_id;
  };
  const create = async (visibility: "PRIVATE" | "PUBLIC") =>
    (await stepwell.files.create(app, { name: "a.txt", body: bytes, visibility })).id;
  return { ...service, at, upload, create };
}

const KINDS = ["a webhook", "a link to an input step", "a form that starts runs"] as const;

it.each(KINDS)("%s takes files of upload URLs and public files, and no others", async (kind) => {
  const { asked, at, send, upload, create } = await open();
  const url = kind === "a webhook" ? at("plain") : kind === "a form that starts runs" ? at("start") : null;
  const answer = async (ids: readonly string[]) =>
    send(url ?? (await asked(FIELDS)).link.url, json({ group: { docs: [...ids] } }));
  const unknown = await answer(["file_of_nobody"]);
  const refused = await answer([await create("PUBLIC"), await create("PRIVATE")]);
  expect([unknown.status, refused.status]).toEqual([422, 422]);
  const [own, others] = [refused, unknown].map(({ text }) => JSON.parse(text).errors[0]);
  expect(own.pointer).toBe(others.pointer.replace("/0", "/1"));
  expect(own.message.replace(/"\w+"/, "")).toBe(others.message.replace(/"\w+"/, ""));
  expect((await answer([await create("PUBLIC"), await upload("PRIVATE")])).status).toBeLessThan(300);
});

it("a page that names a private file in place of a file gets 422, and takes files that come with it", async () => {
  const { asked, send, create, get } = await open();
  const fields: InputDefinition = { doc: { type: "file" } };
  const { run, link } = await asked(fields);
  const body = new URLSearchParams({ "/doc": await create("PRIVATE") });
  expect((await send(link.url, { method: "POST", body })).status).toBe(422);
  expect((await send(link.url, form({ "/doc": new File(["hello"], "a.txt") }))).status).toBe(200);
  expect(JSON.stringify(await get(run.id))).toContain("a.txt");
});
