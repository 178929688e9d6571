/** Files that a person gives to an app: they are uploaded one after the other, also while other screens are shown. */
import { useSyncExternalStore } from "react";
import { forgetUpload, sendFile, uploadEnd } from "../forms/files/uploads.ts";
import { client } from "../server/client.ts";

export interface RefusedFile {
  readonly file: File;
  readonly error: unknown;
}

export interface FileQueue {
  /** The first one is on its way. */
  readonly files: readonly File[];
  /** Of the upload that is on its way; empty until the server has named it. */
  readonly id: string;
  /** Files that were given since nothing was on its way, and have ended. */
  readonly ended: number;
  /** Those of the ended ones that the server has refused. */
  readonly refused: readonly RefusedFile[];
}

const EMPTY: FileQueue = { files: [], id: "", ended: 0, refused: [] };

/** By app. */
const queues = new Map<string, FileQueue>();
const controllers = new Map<string, AbortController>();
const listeners = new Set<() => void>();

const queueOf = (appId: string): FileQueue => queues.get(appId) ?? EMPTY;

function change(appId: string, changes: Partial<FileQueue>): void {
  queues.set(appId, { ...queueOf(appId), ...changes });
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useFileQueue = (appId: string): FileQueue => useSyncExternalStore(subscribe, () => queueOf(appId));

/** Uploads files after those that are on their way. */
export function addFiles(appId: string, files: readonly File[]): void {
  const { files: before } = queueOf(appId);
  if (files.length === 0) return;
  if (before.length > 0) change(appId, { files: [...before, ...files] });
  else {
    change(appId, { ...EMPTY, files });
    void sendAll(appId);
  }
}

/** Tries those again that were refused. */
export function retryFiles(appId: string): void {
  const { refused } = queueOf(appId);
  change(appId, { refused: [] });
  addFiles(
    appId,
    refused.map(({ file }) => file),
  );
}

/** Ends the upload that is on its way, and forgets the files after it. */
export function cancelFiles(appId: string): void {
  const { id } = queueOf(appId);
  controllers.get(appId)?.abort();
  forgetUpload(id);
  change(appId, EMPTY);
}

async function sendAll(appId: string): Promise<void> {
  const controller = new AbortController();
  controllers.set(appId, controller);
  const { signal } = controller;
  for (let [file] = queueOf(appId).files; file !== undefined; [file] = queueOf(appId).files) {
    const error = await send(appId, file, signal);
    if (signal.aborted) return;
    const { id, files, ended, refused } = queueOf(appId);
    forgetUpload(id);
    change(appId, {
      files: files.slice(1),
      id: "",
      ended: ended + 1,
      refused: error === null ? refused : [...refused, { file, error }],
    });
  }
}

/** Resolves to why the file was refused, or to null once it is stored. What only broke is sent again. */
async function send(appId: string, file: File, signal: AbortSignal): Promise<unknown> {
  try {
    const { upload_url: uploadUrl, future_file_id: id } = await client.with({ signal }).files.createUpload(appId, {});
    if (signal.aborted) return null;
    sendFile({ id, name: file.name, size: file.size, type: file.type, uploadUrl }, file);
    change(appId, { id });
    return (await uploadEnd(id, signal)).error;
  } catch (error) {
    return error;
  }
}
