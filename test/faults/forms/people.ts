/** People who submit forms with a file as a browser does, and what they know about the responses. */
import { createHash } from "node:crypto";
import type { Random } from "../../simulation/random.ts";
import { ORIGIN } from "./storage.ts";

/** One request. */
export interface Attempt {
  /** Its unique number, which the form contains. */
  readonly n: number;
  /** SHA-256 of the file in it. */
  readonly sha256: string;
  /** `lost`: no response. `over`: the step was answered before. */
  result?: "received" | "over" | "lost" | "refused";
}

/** A form to submit: the link to the input step of a run, or the URL at which each request starts a run. */
export interface Form {
  readonly url: string;
  /** The run that waits. Absent for a form that starts runs. */
  readonly run?: string;
  readonly attempts: Attempt[];
}

const MAX_FILE_BYTES = 300_000;
const RECEIVED = new Set([200, 303]);
/** Already answered: the page says so. */
const OVER = 409;

export interface People {
  /** Submit forms at an origin until nothing is left to do or requests fail. @param count The people at the same time. */
  submit(origin: string, count: number): Promise<void>;
  /** Whether nothing is left to submit. */
  readonly isDone: boolean;
  /** The number of received submissions. */
  readonly received: number;
}

/**
 * @param starts How many runs are to be started; each time with a new request.
 * @param unexpected Called with each response that no form gives.
 */
export function createPeople(
  links: readonly Form[],
  start: Form,
  starts: number,
  random: Random,
  unexpected: (what: string) => void,
): People {
  let last = 0;
  let received = 0;
  let started = 0;
  const open = new Set(links);

  async function send(form: Form, origin: string): Promise<Attempt> {
    const bytes = new Uint8Array(random.whole(1, random.chance(0.3) ? MAX_FILE_BYTES : 2_000));
    const n = ++last;
    bytes.fill(n % 256);
    const attempt: Attempt = { n, sha256: createHash("sha256").update(bytes).digest("hex") };
    form.attempts.push(attempt);
    const body = new FormData();
    body.append("/n", String(n));
    body.append("/doc", new File([bytes], `${n}.bin`));
    const url = form.url.replace(ORIGIN, origin);
    try {
      const headers = { accept: "text/html" };
      const { status, ...response } = await fetch(url, { method: "POST", headers, body, redirect: "manual" }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
      );
      attempt.result = RECEIVED.has(status) ? "received" : status === OVER ? "over" : "refused";
      if (attempt.result === "refused") unexpected(`${status} for ${n}: ${response.text.slice(0, 2_000)}`);
    } catch {
      attempt.result = "lost";
    }
    return attempt;
  }

  /** Returns whether the process still responds. */
  async function submitOne(origin: string): Promise<boolean> {
    const [link] = open;
    if (link !== undefined && (started >= starts || random.chance(0.5))) {
      open.delete(link);
      // Sometimes two people have the same link.
      const attempts = await Promise.all(Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => send(link, origin)));
      const isDone = attempts.some(({ result }) => result === "received" || result === "over");
      if (!isDone) open.add(link);
      if (attempts.some(({ result }) => result === "received")) received++;
      return attempts.some(({ result }) => result === "received" || result === "over");
    }
    if (started >= starts) return false;
    started++;
    const { result } = await send(start, origin);
    if (result === "received") received++;
    else started--;
    return result === "received";
  }

  return {
    get received() {
      return received;
    },
    get isDone() {
      return open.size === 0 && started >= starts;
    },
    async submit(origin, count) {
      const submitAll = async () => {
        while (await submitOne(origin));
      };
      await Promise.all(Array.from({ length: count }, submitAll));
    },
  };
}
