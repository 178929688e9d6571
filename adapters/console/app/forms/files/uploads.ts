/** Uploads of the page. They continue while screens change, and again after they broke. */
import { useSyncExternalStore } from "react";
import type { FileEntry } from "../../../../../src/forms/model/entry.ts";
import { client, isServerError } from "../../server/client.ts";
import { lostSince, onConnection } from "../../server/connection.ts";
import { isRefusal } from "../../server/refusal.ts";

export interface UploadState {
  /** What is `broken` continues when the server responds. What is `refused` does not. */
  readonly status: "sending" | "broken" | "refused" | "stored";
  /** Bytes that the server has. */
  readonly sent: number;
  readonly total: number;
  /** Why it broke or was refused; null if it was not. */
  readonly error: unknown;
}

interface RunningUpload {
  readonly file: File;
  readonly url: string;
  readonly controller: AbortController;
  /** Tries of the page since bytes have come through. */
  failures: number;
  timer?: ReturnType<typeof setTimeout>;
}

/** Pictures among the files that this page has sent. */
const pictures = new Map<string, File>();
const states = new Map<string, UploadState>();
const running = new Map<string, RunningUpload>();
const listeners = new Set<() => void>();
/** Ids of files that this page has sent completely. */
const storedHere = new Set<string>();

function setState(id: string, state: UploadState): void {
  states.set(id, state);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Undefined for a file whose upload this page knows nothing of. */
export const useUpload = (id: string): UploadState | undefined => useSyncExternalStore(subscribe, () => states.get(id));

/** Whether an upload ends without a person doing something. */
export function isUnderway(id: string): boolean {
  const status = states.get(id)?.status;
  return status !== undefined && status !== "refused";
}

export const isStoredHere = (id: string): boolean => storedHere.has(id);

/** Undefined for what is no picture, and for a file that this page has not sent. */
export const pictureOf = (id: string): File | undefined => pictures.get(id);

/** Sends the bytes of a file. @param isContinued Whether the server may have a part of it. */
export function sendFile(entry: FileEntry & { readonly uploadUrl: string }, file: File, isContinued = false): void {
  const { id, uploadUrl } = entry;
  // Others are not drawn as pictures by every browser, or may hold scripts.
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(file.type)) pictures.set(id, file);
  setState(id, { status: "sending", sent: states.get(id)?.sent ?? 0, total: file.size, error: null });
  send(id, uploadUrl, file, isContinued, 0);
}

function send(id: string, url: string, file: File, isContinued: boolean, failures: number): void {
  stop(id);
  const upload: RunningUpload = { file, url, controller: new AbortController(), failures };
  running.set(id, upload);
  const total = file.size;
  const content = {
    name: file.name,
    ...(file.type === "" ? undefined : { type: file.type }),
    body: file,
    resume: isContinued,
    signal: upload.controller.signal,
    onProgress({ sent }: { readonly sent: number }) {
      upload.failures = 0;
      setState(id, { status: "sending", sent, total, error: null });
    },
  };
  client.files.receive(url, content).then(
    () => {
      running.delete(id);
      storedHere.add(id);
      setState(id, { status: "stored", sent: total, total, error: null });
    },
    (error: unknown) => {
      if (upload.controller.signal.aborted) return;
      // What the server refuses is not sent again.
      const isRefused = !isServerError(error) || isRefusal(error);
      setState(id, { status: isRefused ? "refused" : "broken", sent: states.get(id)?.sent ?? 0, total, error });
      if (isRefused) return;
      const delay = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** upload.failures);
      upload.timer = setTimeout(() => send(id, url, file, true, upload.failures + 1), delay);
    },
  );
}

const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15_000;

function stop(id: string): void {
  const upload = running.get(id);
  upload?.controller.abort();
  clearTimeout(upload?.timer);
}

/** Continues an upload whose file is still known. @returns Whether it is. */
export function continueUpload(id: string): boolean {
  const upload = running.get(id);
  if (upload === undefined) return false;
  sendFile({ id, name: null, size: null, type: "", uploadUrl: upload.url }, upload.file, true);
  return true;
}

/** Resolves once an upload is stored or refused. Rejects when the signal is aborted. */
export function uploadEnd(id: string, signal: AbortSignal): Promise<UploadState> {
  return new Promise((resolve, reject) => {
    const end = () => {
      stopListening();
      signal.removeEventListener("abort", abort);
    };
    const look = () => {
      const state = states.get(id);
      if (state?.status !== "stored" && state?.status !== "refused") return;
      end();
      resolve(state);
    };
    const abort = () => {
      end();
      reject(signal.reason);
    };
    const stopListening = subscribe(look);
    signal.addEventListener("abort", abort);
    look();
  });
}

/** Ends an upload, because nobody wants the file any more. */
export function forgetUpload(id: string): void {
  stop(id);
  running.delete(id);
  states.delete(id);
  pictures.delete(id);
}

// What broke because the connection did is continued when it is back.
onConnection(() => {
  if (lostSince() !== null) return;
  for (const [id, { status }] of states) if (status === "broken") continueUpload(id);
});
