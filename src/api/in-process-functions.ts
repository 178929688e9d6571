/** The service functions without a route of the same shape: waiting for runs and jobs, events of runs, changes of apps, and the bytes of files. */
import * as v from "valibot";
import type { AppStream } from "../app-stream/app-stream.ts";
import type { Apps } from "../apps/apps.ts";
import type { Caller } from "../calls/caller.ts";
import { essenceOf } from "../encoding/text-types.ts";
import { BYTES_EXPECTED, bytesOnly, isStream } from "../files/byte-stream.ts";
import type { StoreFile } from "../files/create-file.ts";
import type { ExtractContents } from "../files/extract-contents.ts";
import type { FetchFile } from "../files/fetch-remote-file.ts";
import type { Files } from "../files/files.ts";
import { MediaTypePattern } from "../files/media-type.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { isRecord } from "../json.ts";
import type { Ids } from "../ports/ids.ts";
import type { Runs } from "../runs/runs.ts";
import { checkOptions, isSignal, NO_SIGNAL, Visibility } from "../schema.ts";
import { keepRunning } from "../time/keep-running.ts";
import type { Uploads } from "../uploads/uploads.ts";
import type { AppsApi, FilesApi, RunsApi } from "./api.ts";
import type { JobsApi } from "./jobs-api.ts";
import { givenParams } from "./route-functions.ts";

/** The longest delay of a timer: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const wholeNumber = v.pipe(v.number(), v.safeInteger("Must be a whole number."), v.minValue(0, "Must be at least 0."));

const Signal = v.custom<AbortSignal>(isSignal, NO_SIGNAL);

const WaitOptions = v.strictObject({
  timeoutMs: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0, "Must be at least 0."),
      v.maxValue(
        MAX_TIMER_MS,
        `Must be at most ${MAX_TIMER_MS} milliseconds (24 days). Omit it to wait until the run or job ends.`,
      ),
    ),
  ),
  signal: v.optional(Signal),
});

const FollowOptions = v.strictObject({ after: v.optional(wholeNumber), signal: v.optional(Signal) });

const StreamOptions = v.strictObject({ signal: v.optional(Signal) });

const Range = v.optional(v.strictObject({ start: wholeNumber, end: wholeNumber }));

export interface InProcessParts {
  readonly apps: Pick<Apps, "get">;
  readonly appStream: AppStream;
  readonly runs: Pick<Runs, "wait" | "events">;
  readonly jobs: Pick<Jobs, "wait">;
  readonly files: Pick<Files, "content">;
  readonly uploads: Pick<Uploads, "receive">;
  readonly storeFile: StoreFile;
  /** Fetches a file from a URL of a user. */
  readonly fetchFile: FetchFile;
  /** Maximum bytes of a file. */
  readonly fileBytes: number;
  readonly fileContents: ExtractContents;
  readonly ids: Ids;
}

/** The id at the end of an upload URL, without query and fragment. */
const uploadIdOf = (upload: string) => upload.replace(/[?#].*$/s, "").replace(/^.*\//s, "");

const TextOptions = v.strictObject({ signal: v.optional(Signal) });

const FileName = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(255, "Must have at most 255 characters."),
);

const fileFields = {
  visibility: v.optional(Visibility, "PRIVATE"),
  key: v.optional(v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(1_024))),
} as const;

const FileFromBytes = v.strictObject({
  ...fileFields,
  name: FileName,
  body: v.union([v.instance(Uint8Array), v.custom<AsyncIterable<unknown>>(isStream)], `${BYTES_EXPECTED}.`),
  type: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(255, "Must have at most 255 characters."),
      v.check(
        (type) => v.is(MediaTypePattern, essenceOf(type)),
        "Must be a media type such as text/csv; charset=iso-8859-5.",
      ),
    ),
  ),
});

const FileFromUrl = v.strictObject({
  ...fileFields,
  name: v.optional(FileName),
  url: v.pipe(
    v.string(),
    v.minLength(1, "Must not be empty."),
    v.maxLength(8_192, "Must have at most 8192 characters."),
  ),
  signal: v.optional(Signal),
});

export function createInProcessFunctions(parts: InProcessParts, caller: Caller) {
  const { apps, appStream, runs, jobs, files, uploads, storeFile, fetchFile, fileBytes, fileContents, ids } = parts;
  const run = (...given: readonly unknown[]) => givenParams(["app_id", "run_id"], given);

  const wait: RunsApi["wait"] = async (appId, runId, options = {}) => {
    const { app_id, run_id } = run(appId, runId);
    const { timeoutMs, signal } = checkOptions(WaitOptions, options);
    await apps.get(app_id);
    return runs.wait(app_id, run_id, timeoutMs, signal);
  };

  const waitForJob: JobsApi["wait"] = async (appId, jobId, options = {}) => {
    const { app_id, job_id } = givenParams(["app_id", "job_id"], [appId, jobId]);
    const { timeoutMs, signal } = checkOptions(WaitOptions, options);
    await apps.get(app_id);
    return jobs.wait(app_id, job_id, timeoutMs, signal);
  };

  const events: RunsApi["events"] = async function* (appId, runId, options = {}) {
    const { app_id, run_id } = run(appId, runId);
    const { after, signal } = checkOptions(FollowOptions, options);
    await apps.get(app_id);
    yield* keepProcessAlive(await runs.events(app_id, run_id, after, signal));
  };

  const stream: AppsApi["stream"] = async function* (appId, options = {}) {
    const { app_id } = givenParams(["app_id"], [appId]);
    const { signal } = checkOptions(StreamOptions, options);
    await apps.get(app_id);
    const controller = new AbortController();
    const leave = () => controller.abort();
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted === true) leave();
    try {
      yield* keepProcessAlive(appStream.follow(app_id, caller, controller));
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  };

  const receive: FilesApi["receive"] = async (upload, content) =>
    uploads.receive(uploadIdOf(givenParams(["upload"], [upload]).upload), content);

  const content: FilesApi["content"] = async (appId, fileId, range) => {
    const { app_id, file_id } = givenParams(["app_id", "file_id"], [appId, fileId]);
    const checked = checkOptions(Range, range);
    await apps.get(app_id);
    return files.content(app_id, file_id, checked);
  };

  const create: FilesApi["create"] = async (appId, input) => {
    const { app_id } = givenParams(["app_id"], [appId]);
    await apps.get(app_id);
    if (isRecord(input) && "url" in input) {
      const { name, url, visibility, key = ids.random(32), signal } = checkOptions(FileFromUrl, input);
      const open = async () => {
        const remote = await fetchFile(url, fileBytes, signal);
        return { name: name ?? remote.name, type: remote.type, body: remote.body };
      };
      return storeFile({ app_id, visibility, key, open, maxSize: fileBytes });
    }
    const { name, body, type, visibility, key = ids.random(32) } = checkOptions(FileFromBytes, input);
    const isWhole = body instanceof Uint8Array;
    const content = { name, type, body: isWhole ? body : bytesOnly(body) };
    return storeFile({ app_id, visibility, key, open: () => content, maxSize: isWhole ? body.length : fileBytes });
  };

  const text: FilesApi["text"] = async (appId, fileId, options = {}) => {
    const { app_id, file_id } = givenParams(["app_id", "file_id"], [appId, fileId]);
    const { signal } = checkOptions(TextOptions, options);
    await apps.get(app_id);
    const request = { text: true, images: false };
    const found = await fileContents({ appId: app_id, fileId: file_id, request, key: "", signal });
    return String(found["contents"]);
  };

  return {
    apps: { stream },
    runs: { wait, events },
    jobs: { wait: waitForJob },
    files: { create, text, receive, content },
  };
}

/** Keeps the process alive while it waits for the next event: timers of the clock do not. */
async function* keepProcessAlive<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const release = keepRunning();
      const next = await source.next().finally(release);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await source.return(undefined);
  }
}
