/**
 * A process that stores documents until it is killed, and prints the IDs of those that are acknowledged. With a name, it shares
 * the store: its IDs begin with the name, and each of its commits increments a document that all of them count in.
 */
import postgres from "../../../adapters/storage/postgres/postgres.ts";
import { isStepwellError } from "../../../src/errors.ts";
import type { Change } from "../../../src/ports/store.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { SILENT } from "../../support/storage/silent.ts";

const [url, schema, name] = process.argv.slice(2);
const isShared = name !== undefined;
const store = postgres({ url, schema }).createStore({ clock: systemClock, logger: SILENT, isShared });
let count = 0;

async function incremented(): Promise<readonly Change[]> {
  if (!isShared) return [];
  const sum = await store.get<{ n: number }>("thing:sum");
  return [{ key: "thing:sum", document: { n: (sum?.document.n ?? 0) + 1 }, expected: sum?.version ?? null }];
}

async function lane(): Promise<never> {
  for (;;) {
    const id = `${name ?? ""}id${String(count++).padStart(6, "0")}`;
    const rows = [{ list: "things", put: { id, marks: ["x"] } }];
    try {
      await store.commit([{ key: `thing:${id}`, document: { id }, expected: null, rows }, ...(await incremented())]);
      console.log(id);
    } catch (error) {
      if (!isShared || !isStepwellError(error, "conflict")) throw error;
    }
  }
}

await Promise.all(Array.from({ length: 8 }, lane));
