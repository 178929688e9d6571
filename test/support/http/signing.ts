/** Signs deliveries as senders do, with Node's HMAC. */
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";

const hmac = (key: string | Buffer, ...parts: (string | Uint8Array)[]) => {
  const made = createHmac("sha256", key);
  for (const part of parts) made.update(part);
  return made.digest();
};

export type Headers = Record<string, string>;

/** @param at Seconds. */
export function standard(secret: string, body: string | Uint8Array, at: number, id = "msg_1"): Headers {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = hmac(key, `${id}.${at}.`, body).toString("base64");
  return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": `v1,${signature}` };
}

/** As Svix sends them. @param at Seconds. */
export function svix(secret: string, body: string | Uint8Array, at: number, id = "msg_1"): Headers {
  const headers = Object.entries(standard(secret, body, at, id));
  return Object.fromEntries(headers.map(([name, value]) => [name.replace("webhook-", "svix-"), value]));
}

/** @param at Seconds. */
export function slack(secret: string, body: string | Uint8Array, at: number): Headers {
  const signature = hmac(secret, `v0:${at}:`, body).toString("hex");
  return { "x-slack-request-timestamp": String(at), "x-slack-signature": `v0=${signature}` };
}

export function github(secret: string, body: string | Uint8Array): Headers {
  return { "x-hub-signature-256": `sha256=${hmac(secret, body).toString("hex")}` };
}

/** @param at Seconds. */
export function stripe(secret: string, body: string | Uint8Array, at: number): Headers {
  return { "stripe-signature": `t=${at},v1=${hmac(secret, `${at}.`, body).toString("hex")}` };
}

export function shopify(secret: string, body: string | Uint8Array): Headers {
  return { "x-shopify-hmac-sha256": hmac(secret, body).toString("base64") };
}
