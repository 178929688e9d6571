/** A service under test as its clients see it: a URL, an app and its key. */
import { createHash } from "node:crypto";
import { type IncomingMessage, type RequestOptions, request } from "node:http";

/** Where a host listens. */
export interface TargetAddress {
  /** The URL of requests. */
  readonly url: string;
  /** The public URL that it is configured with. */
  readonly publicUrl: string;
  /** Whether the host parses JSON before the service, and so rejects broken JSON itself. */
  readonly readsJson: boolean;
  /** Whether the host sends the Content-Length that the service sets. */
  readonly sendsLength: boolean;
  /** A server on loopback for workflows to call. */
  readonly allowed: string;
}

export interface Target extends TargetAddress {
  readonly appId: string;
  readonly key: string;
  /** Calls a path below the app, with its key. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** As {@link call}, with a JSON body. */
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** The URL without the proxy. */
  reached(publicAddress: string): string;
}

export const ADMIN_KEY = "the-admin-key-of-these-tests";
export const JSON_TYPE = { "content-type": "application/json" };

export async function openTarget(place: TargetAddress): Promise<Target> {
  const admin = { ...JSON_TYPE, authorization: `Bearer ${ADMIN_KEY}` };
  const post = async (path: string, body: unknown) => {
    const response = await fetch(place.url + path, { method: "POST", headers: admin, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const { id: appId } = await post("/apps", { name: "Lending" });
  const { key } = await post(`/apps/${appId}/keys`, { name: "tests" });
  const call: Target["call"] = (path, init = {}) =>
    fetch(`${place.url}/apps/${appId}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...Object.fromEntries(new Headers(init.headers)) },
    });
  return {
    ...place,
    appId,
    key,
    call,
    post: (path, body = {}, headers = {}) =>
      call(path, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }),
    reached: (address) => address.replace(place.publicUrl, place.url),
  };
}

export interface Address {
  readonly url: string;
  readonly fileId: string;
}

export async function uploadAddress(target: Target): Promise<Address> {
  const { upload_url, future_file_id } = await (await target.post("/files/uploads")).json();
  return { url: target.reached(upload_url), fileId: future_file_id };
}

/** Sends a form with a file. As bytes: a FormData is copied several times while it is sent. */
export function send(url: string, content: Uint8Array | string, name = "a.bin"): Promise<Response> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const body = forms.get(bytes)?.get(name) ?? formOf(bytes, name);
  return fetch(url, { method: "POST", headers: { "content-type": "multipart/form-data; boundary=cut" }, body });
}

/** The forms of files that several hosts get, by name. */
const forms = new WeakMap<Uint8Array, Map<string, Buffer<ArrayBuffer>>>();

function formOf(content: Uint8Array, name: string): Buffer<ArrayBuffer> {
  const disposition = `content-disposition: form-data; name="file"; filename="${name}"`;
  const head = `--cut\r\n${disposition}\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const form = Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n--cut--\r\n")]);
  forms.set(content, new Map([...(forms.get(content) ?? []), [name, form]]));
  return form;
}

/** By their size. */
const patterns = new Map<number, Uint8Array<ArrayBuffer>>();

/** Bytes that repeat nowhere nearby, so a lost or duplicated piece is detected. */
export function pattern(size: number): Uint8Array<ArrayBuffer> {
  const known = patterns.get(size);
  if (known !== undefined) return known;
  const words = new Uint32Array(Math.ceil(size / 4));
  for (let index = 0; index < words.length; index++) words[index] = Math.imul(index, 2_654_435_761);
  const made = new Uint8Array(words.buffer, 0, size);
  patterns.set(size, made);
  return made;
}

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** For requests that `fetch` does not allow. */
export function rawRequest(url: string, options: RequestOptions): ReturnType<typeof request> {
  return request(url, { agent: false, ...options });
}

export function answerOf(sent: ReturnType<typeof request>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once("response", resolve).once("error", reject);
  });
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += chunk;
  return text;
}
