/** What a service does for its clients in any server. */
import { expect } from "vitest";
import { github } from "../support/http/signing.ts";
import { until } from "../support/until.ts";
import {
  answerOf,
  JSON_TYPE,
  pattern,
  rawRequest,
  send,
  sha256,
  type Target,
  textOf,
  uploadAddress,
} from "./target.ts";

const MEBI = 1024 * 1024;
const PROBLEM = "application/problem+json";

export const scenarios: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  async "deploys a workflow and reads its version"(target) {
    const { workflow, version } = await deploy(target, [{ type: "note", key: "note", note: "# Nothing" }]);
    expect(version).toMatchObject({ version: 1, workflow_id: workflow.id, app_id: target.appId, notes: "first" });
    const read = await target.call(`/workflows/${workflow.id}/versions/1`);
    expect(read.status).toBe(200);
    expect(await read.json()).toEqual(version);
  },

  async "returns a Location with its public URL"(target) {
    const made = await target.post("/workflows", { name: "Lines", steps: [] });
    expect(made.status).toBe(201);
    const { id } = await made.json();
    const location = made.headers.get("location") ?? "";
    expect(location).toBe(`${target.publicUrl}/apps/${target.appId}/workflows/${id}`);
    const headers = { authorization: `Bearer ${target.key}` };
    expect(await (await fetch(target.reached(location), { headers })).json()).toMatchObject({ id });
  },

  async "lists collections by tags, in pages"(target) {
    const tag = await (await target.post("/tags", { name: "Köln", color: "#aa0000" })).json();
    for (const name of ["one", "two"]) await target.post("/collections", { name, tags: [tag.id] });
    await target.post("/collections", { name: "three" });
    const names = async (query: string) => {
      const answer = await target.call(`/collections?${query}`);
      return { names: (await answer.json()).map(({ name }: { name: string }) => name), headers: answer.headers };
    };
    expect((await names(`tags[]=${tag.id}`)).names).toEqual(["two", "one"]);
    expect((await names("search=THR%45E")).names).toEqual(["three"]);
    const page = await names(`tags=${tag.id}&take=1`);
    expect(page.names).toEqual(["two"]);
    expect(page.headers.get("link")).toContain(`<${target.publicUrl}/apps/${target.appId}/collections?`);
  },

  async "uploads 5 MB and downloads them whole and as a range"(target) {
    const content = pattern(5 * MEBI + 321);
    const { url, fileId } = await uploadAddress(target);
    const sent = await fetch(url, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=cut" },
      body: multipart(content, 60_001),
      duplex: "half",
    } as RequestInit); // the types of the DOM lack duplex
    expect(sent.status).toBe(201);
    expect(await sent.json()).toMatchObject({ id: fileId, size: content.byteLength, sha256: sha256(content) });

    const path = `/files/${fileId}/content`;
    const whole = await target.call(path);
    expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256(content));
    const part = await target.call(path, { headers: { range: "bytes=1048570-1048580" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 1048570-1048580/${content.byteLength}`);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(content.slice(1_048_570, 1_048_581));
    const head = await target.call(path, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(target.sendsLength ? String(content.byteLength) : null);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
    const unchanged = await target.call(path, { headers: { "if-none-match": whole.headers.get("etag") ?? "" } });
    expect(unchanged.status).toBe(304);
  },

  async "keeps an upload URL open after a file_url with a private address"(target) {
    const { url } = await uploadAddress(target);
    const body = JSON.stringify({ file_url: "http://127.0.0.2/secret" });
    const refused = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(await problem(refused)).toEqual([422, "address_refused"]);
    expect((await send(url, "a,b\n", "a.csv")).status).toBe(201);
    expect(await problem(await send(url, "c,d\n", "c.csv"))).toEqual([409, "upload_used"]);
  },

  async "runs a workflow and returns the ended run"(target) {
    const { workflow } = await deploy(target, [
      { type: "input", key: "start", input: { amount: { type: "number" } }, destinations: ["double"] },
      { type: "code", key: "double", code: "return input.amount * 2", destinations: ["size"] },
      {
        type: "branch",
        key: "size",
        conditions: { large: { order: 1, condition: "steps.double.output > 100", destinations: ["ask"] } },
      },
      { type: "http_request", key: "ask", method: "POST", url: target.allowed, body: "{{ steps.double.output }}" },
    ]);
    const answer = await target.post(
      `/workflows/${workflow.id}/runs`,
      { input: { amount: 60 } },
      { prefer: "wait=9999" },
    );
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({
      status: "succeeded",
      error: null,
      output: { status: 200, body: { method: "POST", got: "120" } },
    });
  },

  async "answers HEAD with the headers of GET and no body"(target) {
    const get = await target.call("/collections?search=nothing-is-called-so");
    const head = await target.call("/collections?search=nothing-is-called-so", { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    const { byteLength } = await get.arrayBuffer();
    expect(head.headers.get("content-length")).toBe(target.sendsLength ? String(byteLength) : null);
    expect(await head.text()).toBe("");
  },

  async "rejects invalid requests with a problem"(target) {
    expect(await problem(await target.call("/workflows/work_0000000000000000"))).toEqual([404, "not_found"]);
    expect(await problem(await fetch(`${target.url}/nowhere`))).toEqual([404, "not_found"]);
    const deletion = await target.call("/collections", { method: "DELETE" });
    expect(deletion.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
    expect(await problem(deletion)).toEqual([405, "method_not_allowed"]);
    expect(await problem(await target.post("/workflows", { nam: "x" }))).toEqual([422, "invalid"]);
    const text = { method: "POST", headers: { "content-type": "text/plain" }, body: '{"name": "x"}' };
    expect(await problem(await target.call("/collections", text))).toEqual([415, "unsupported_media_type"]);
    const keyless = await fetch(`${target.url}/apps/${target.appId}/workflows`);
    expect(await problem(keyless)).toEqual([401, "unauthorized"]);
    const broken = { method: "POST", headers: { "content-type": "application/json" }, body: '{"name": ' };
    const answer = await target.call("/collections", broken);
    if (target.readsJson) expect(answer.status).toBe(400);
    else expect(await problem(answer)).toEqual([400, "malformed"]);
  },

  async "rejects a body that is too large"(target) {
    // On a separate connection: a server may close the one with the rejected request (RFC 9110 section 15.5.14).
    const body = JSON.stringify({ name: "large", description: "x".repeat(MEBI) });
    const sent = rawRequest(`${target.url}/apps/${target.appId}/collections`, {
      method: "POST",
      headers: { authorization: `Bearer ${target.key}`, "content-type": "application/json" },
    });
    sent.end(body);
    const answer = await answerOf(sent);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([413, PROBLEM]);
    expect(JSON.parse(await textOf(answer)).code).toBe("too_large");
  },

  async "treats a missing body as an empty one"(target) {
    const answer = await target.call("/files/uploads", { method: "POST" });
    expect(answer.status).toBe(201);
    await answer.arrayBuffer();
  },

  async "rejects a body before it was sent completely"(target) {
    const url = `${target.url}/public/apps/files/uploads/fupl_${"0".repeat(32)}`;
    // The host may close the connection before its client has read the response.
    const sent = () => send(url, pattern(8 * MEBI)).then(problem, () => null);
    await expect.poll(sent).toEqual([404, "not_found"]);
  },

  async "keeps an upload URL usable when its client disconnects"(target) {
    const { url, fileId } = await uploadAddress(target);
    const cut = rawRequest(url, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=cut", "content-length": 4 * MEBI },
    });
    const ended = answerOf(cut).catch((error: Error) => error.message);
    await new Promise((resolve) => cut.write(`${PART}${"x".repeat(MEBI)}`, resolve));
    cut.destroy();
    expect(await ended).toBe("socket hang up");
    const again = await send(url, "a,b\n", "a.csv");
    expect(again.status).toBe(201);
    expect(await again.json()).toMatchObject({ id: fileId, size: 4 });
  },

  async "sends everything to a slow client"(target) {
    const content = pattern(12 * MEBI);
    const { url, fileId } = await uploadAddress(target);
    expect((await send(url, content)).status).toBe(201);
    const sent = rawRequest(`${target.url}/apps/${target.appId}/files/${fileId}/content`, {
      headers: { authorization: `Bearer ${target.key}` },
    });
    sent.end();
    const answer = await answerOf(sent);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer) {
      chunks.push(chunk);
      // Three pauses, each until more bytes have arrived than are read.
      const isFull = () => answer.complete || answer.readableLength >= answer.readableHighWaterMark;
      if (Math.floor(size / (4 * MEBI)) !== Math.floor((size + chunk.length) / (4 * MEBI))) await until(isFull);
      size += chunk.length;
    }
    expect(sha256(Buffer.concat(chunks))).toBe(sha256(content));
  },

  async "survives a client that disconnects during a download"(target) {
    const { url, fileId } = await uploadAddress(target);
    expect((await send(url, pattern(8 * MEBI))).status).toBe(201);
    const stop = new AbortController();
    const answer = await target.call(`/files/${fileId}/content`, { signal: stop.signal });
    await answer.body?.getReader().read();
    stop.abort();
    expect((await target.call(`/files/${fileId}`)).status).toBe(200);
  },

  async "stops waiting for a run when its client disconnects"(target) {
    const { workflow } = await deploy(target, [
      { type: "input", key: "start", input: {}, destinations: ["later"] },
      { type: "input", key: "later", input: { approved: { type: "boolean" } } },
    ]);
    const stop = new AbortController();
    const init = { method: "POST", headers: { prefer: "wait=9999" }, signal: stop.signal };
    const waiting = target.call(`/workflows/${workflow.id}/runs`, init).catch((error: Error) => error.name);
    const runs = async () => (await target.call(`/workflows/${workflow.id}/runs`)).json();
    await until(async () => (await runs())[0]?.status === "waiting");
    stop.abort();
    expect(await waiting).toBe("AbortError");
    expect(await runs()).toMatchObject([{ status: "waiting" }]);
  },

  async "streams the events of a run as they happen"(target) {
    const { workflow } = await deploy(target, [
      { type: "input", key: "start", input: {}, destinations: ["later"] },
      { type: "input", key: "later", input: { approved: { type: "boolean" } } },
    ]);
    const { id } = await (await target.post(`/workflows/${workflow.id}/runs`)).json();
    const answer = await target.call(`/runs/${id}/events`);
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const events = readerOf(answer);
    await events.readTo("step.waiting");
    expect(events.text()).not.toContain("run.succeeded");
    await target.post(`/runs/${id}/inputs/later`, { approved: true });
    await events.readTo("run.succeeded");
  },

  async "verifies signatures of the original bytes of a webhook"(target) {
    await deploy(target, [{ type: "input", key: "in", input: {}, webhook: { method: "POST", path: "signed" } }]);
    const [hook] = await (await target.call("/hooks")).json();
    const secret = "It's a Secret to Everybody";
    const body = '{ "n" : 1.0 }'; // no serializer would write it so
    const settings = { method: "PUT", headers: JSON_TYPE, body: JSON.stringify({ scheme: "github", secret }) };
    expect((await target.call(`/hooks/${hook.id}/signature`, settings)).status).toBe(200);
    const sent = (signed: string) =>
      fetch(`${target.url}/public/apps/hooks/${target.appId}/signed`, {
        method: "POST",
        headers: { ...JSON_TYPE, ...github(secret, signed) },
        body,
      });
    expect((await sent(body)).status).toBe(202);
    expect((await sent('{"n":1}')).status).toBe(401);
  },

  async "ignores the Host header in its URLs"(target) {
    const sent = rawRequest(`${target.url}/apps/${target.appId}/files/uploads`, {
      method: "POST",
      headers: {
        host: "evil.test",
        "x-forwarded-host": "evil.test",
        forwarded: "host=evil.test",
        authorization: `Bearer ${target.key}`,
        "content-type": "application/json",
      },
    });
    sent.end("{}");
    const answer = await answerOf(sent);
    const text = await textOf(answer);
    expect(answer.statusCode).toBe(201);
    expect(text + JSON.stringify(answer.headers)).not.toContain("evil.test");
    expect(JSON.parse(text).upload_url).toContain(`${target.publicUrl}/public/apps/files/uploads/fupl_`);
  },
};

const PART = '--cut\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';

/** A multipart body in pieces of this size, none of which starts or ends at a line. */
function multipart(content: Uint8Array, step: number): ReadableStream<Uint8Array> {
  const body = Buffer.concat([Buffer.from(PART), content, Buffer.from("\r\n--cut--\r\n")]);
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(body.subarray(offset, offset + step));
      offset += step;
      if (offset >= body.byteLength) controller.close();
    },
  });
}

async function deploy(target: Target, steps: readonly object[]) {
  const made = await target.post("/workflows", { name: "Tested", steps });
  expect(made.status).toBe(201);
  const workflow = await made.json();
  const answer = await target.post(`/workflows/${workflow.id}/versions`, { notes: "first" });
  const version = await answer.json();
  expect(version).toMatchObject({ version: 1 });
  return { workflow, version };
}

/** Reads a text as it arrives. */
function readerOf(answer: Response) {
  const chunks = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    text: () => text,
    async readTo(end: string) {
      while (!text.includes(end)) {
        const next = await chunks?.read();
        if (next?.value === undefined) throw new Error(`The stream ended before ${end}:\n${text}`);
        text += next.value;
      }
    },
  };
}

/** The status and code of an error. */
async function problem(answer: Response): Promise<[number, string]> {
  const body = await answer.json();
  expect(answer.headers.get("content-type")).toBe(PROBLEM);
  expect(body).toMatchObject({ status: answer.status, request_id: answer.headers.get("x-request-id") });
  return [answer.status, body.code];
}
