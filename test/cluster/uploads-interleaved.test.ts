/** Two clients send one file to processes that pause and are given up, while others sweep, in all kinds of orders. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Interleaved, openInterleaved } from "../support/cluster/interleaved.ts";
import { SHARED_BLOBS } from "../support/cluster/receivers.ts";
import { BLOCK, streamOf } from "../support/files/service.ts";
import { begun, content, cut, dead, offsetOf, patch, sha256 } from "../support/files/tus.ts";

const SIZE = 9 * BLOCK + 13;
const ALL = content(SIZE);
const HOUR_MS = 3_600_000;
const PROCESSES = 3;

const process = fc.nat(PROCESSES - 1);
/** A request of a client: at which process, how many bytes at once, how many pieces, and how its connection ends. */
const request = fc.record({
  process,
  piece: fc.integer({ min: 1, max: 3 * BLOCK }),
  pieces: fc.integer({ min: 1, max: 3 }),
  end: fc.constantFrom("whole", "cut", "dead"),
});
const event = fc.oneof(
  fc.record({ kind: fc.constantFrom("pause", "resume", "sweep"), process }),
  fc.record({ kind: fc.constant("leap"), hours: fc.constantFrom(1, 13, 25) }),
);
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** A generator of pseudo-random numbers, so that a failure can be repeated. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function bodyOf({ piece, pieces, end }: Request, offset: number): ReadableStream<Uint8Array> {
  const parts = Array.from({ length: pieces }, (_, index) =>
    ALL.subarray(offset + index * piece, Math.min(SIZE, offset + (index + 1) * piece)),
  ).filter(({ length }) => length > 0);
  return end === "whole" ? streamOf(parts) : end === "cut" ? cut(...parts) : dead(...parts);
}

/** What happened to one file. */
interface Sending {
  readonly cluster: Interleaved;
  readonly location: string;
  /** The largest number of bytes that a response has acknowledged. */
  acknowledged: number;
  readonly responses: Promise<Response>[];
}

/** Sends requests one after the other. Leaves a connection that is dead, or whose process is paused. */
async function send(sending: Sending, requests: readonly Request[]): Promise<void> {
  const { cluster, location, responses } = sending;
  for (const one of requests) {
    const service = cluster.services[one.process];
    if (service === undefined) throw new Error("There is no such process.");
    const before = sending.acknowledged;
    const left = cluster.paused(one.process).then(() => null);
    const offset = await Promise.race([offsetOf(service, location), left]);
    if (offset === null || Number.isNaN(offset)) continue; // given up, or held for too long
    expect(offset).toBeGreaterThanOrEqual(before);
    if (offset === SIZE) return;
    const response = patch(service, location, offset, bodyOf(one, offset));
    responses.push(response);
    if (one.end === "dead") continue;
    const found = (await Promise.race([response, left]))?.headers.get("upload-offset") ?? null;
    sending.acknowledged = Math.max(sending.acknowledged, offset, Number(found ?? 0));
  }
}

async function happen(cluster: Interleaved, events: readonly Event[]): Promise<void> {
  for (const one of events) {
    for (let turn = 0; turn < 25; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (one.kind === "leap" && "hours" in one) cluster.leap(one.hours * HOUR_MS);
    if (!("process" in one)) continue;
    if (one.kind === "pause") cluster.pause(one.process);
    if (one.kind === "resume") cluster.resume(one.process);
    if (one.kind === "sweep") void sweep(cluster, one.process).catch(() => undefined);
  }
}

async function sweep({ services }: Interleaved, process: number): Promise<void> {
  await services[process]?.partialUploads.sweep();
  await services[process]?.orphanBlobs.sweep();
}

describe.each(SHARED_BLOBS)("on $name", ({ open }) => {
  it("no acknowledged byte is lost, the file is right, and nothing is left when it is deleted", async () => {
    let takeovers = 0;
    const requests = fc.array(request, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        requests,
        requests,
        fc.array(event, { maxLength: 10 }),
        async (seed, one, other, events) => {
          const driver = open();
          const cluster = await openInterleaved(driver, PROCESSES, randomOf(seed));
          const [service] = cluster.services;
          if (service === undefined) throw new Error("There is no process.");
          const { upload_url, future_file_id } = await cluster.during(service.address({ expires_in: 30 * 86_400 }));
          const location = await cluster.during(begun(service, upload_url, SIZE));
          const sending: Sending = { cluster, location, acknowledged: 0, responses: [] };
          await cluster.during(Promise.all([send(sending, one), send(sending, other), happen(cluster, events)]));
          for (const index of cluster.services.keys()) cluster.resume(index);

          const statuses = Promise.all(sending.responses.map(async (answer) => (await answer).status));
          let isEnded = false;
          statuses.then(
            () => {
              isEnded = true;
            },
            () => undefined,
          );
          let at = await cluster.during(offsetOf(service, location));
          // A dead connection ends only with a later request; at the same process, if it does not hold the turn.
          while (!isEnded) {
            for (const any of cluster.services) at = await cluster.during(offsetOf(any, location));
          }
          expect(at).toBeGreaterThanOrEqual(sending.acknowledged);
          takeovers += (await statuses).filter((status) => status === 409).length;
          // Also without bytes: the last connection may have died before its end was seen.
          const last = await cluster.during(patch(service, location, at, ALL.subarray(at)));
          expect(last.headers.get("upload-offset")).toBe(String(SIZE));
          const file = await cluster.during(service.files.get(service.app.id, future_file_id, false));
          expect(file).toMatchObject({ size: SIZE, sha256: sha256(ALL) });
          const stored = await cluster.during(
            service.call(`/files/${future_file_id}/content`).then((found) => found.arrayBuffer()),
          );
          expect(sha256(new Uint8Array(stored))).toBe(sha256(ALL));

          await cluster.during(service.files.remove(service.app.id, future_file_id));
          cluster.leap(25 * HOUR_MS);
          await cluster.during(sweep(cluster, 1));
          expect(await driver.getKeys("", {})).toEqual([]);
          expect(cluster.services.flatMap(({ errors }) => errors)).toEqual([]);
        },
      ),
      { numRuns: 20, endOnFailure: true },
    );
    expect(takeovers).toBeGreaterThan(0);
  });
});
