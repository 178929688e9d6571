/** A script that stands for the loan-origination system: the events that it sends, in this order. */
import { signed } from "./standard-webhooks.js";

const submitted = (id, loan) => ({ id, milestone: "Submittal", loan });

const first = submitted("evt-1", { number: "L-100", borrower: "Ada", amount: 180_000, value: 240_000 });
const second = submitted("evt-2", { number: "L-200", borrower: "Grace", amount: 900_000, value: 1_000_000 });
const forged = submitted("evt-3", { number: "L-100", amount: 1 });
const early = { id: "evt-4", milestone: "Started", loan: { number: "L-300", borrower: "Mary" } };
const third = submitted("evt-5", { number: "L-400", borrower: "Joan", amount: 320_000 });
const appraised = { id: "evt-6", milestone: "Appraisal", loan: { number: "L-400", value: 400_000 } };

const SCRIPT = [
  { what: "L-100 is submitted", event: first },
  { what: "L-200 is submitted", event: second },
  { what: "a repeat: the response to the first was lost", event: first },
  { what: "signed with another secret", event: forged, secret: `whsec_${"A".repeat(44)}` },
  { what: "L-300 is only started", event: early },
  { what: "L-400 is appraised, ahead of evt-5", event: appraised },
  { what: "L-400 is submitted", event: third },
];

/** Sends all events and prints the responses. Returns the ids of those that were stored, in the order of their arrival. */
export async function sendEvents(url, secret) {
  const stored = new Set();
  for (const { what, event, secret: own = secret } of SCRIPT) {
    const body = JSON.stringify(event);
    const headers = { "content-type": "application/json", ...signed(own, `msg-${event.id}`, body) };
    const response = await fetch(url, { method: "POST", headers, body });
    const { code = "stored", deliveries = [] } = await response.json();
    for (const { event_id } of deliveries) stored.add(event_id);
    console.log(`  ${event.id}  ${what.padEnd(46)} ${response.status} ${code}`);
  }
  return stored;
}
