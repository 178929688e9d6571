/** Signatures of Standard Webhooks (https://www.standardwebhooks.com), whose libraries do the same. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** The headers of a signed request. */
export function signed(secret, id, body) {
  const time = String(Math.floor(Date.now() / 1_000));
  return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatureOf(secret, id, time, body) };
}

/** Whether a request has a valid signature that is not older than five minutes. */
export function isSigned(secret, headers, body) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
  const expected = Buffer.from(signatureOf(secret, id, time, body));
  const isRecent = Math.abs(Date.now() / 1_000 - Number(time)) < 300;
  const isEqual = (given) => given.length === expected.length && timingSafeEqual(given, expected);
  return isRecent && signatures.split(" ").some((one) => isEqual(Buffer.from(one)));
}

function signatureOf(secret, id, time, body) {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`;
}
