/** Fetches a file from a URL. */
import { StepwellError } from "../errors.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import { nameOfResponse } from "./file-name.ts";

export interface RemoteFile {
  readonly name: string;
  /** Media type that the server declared. */
  readonly type: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal | undefined;
}

/** Fetches a file of at most so many bytes. */
export type FetchFile = (url: string, maxBytes: number, signal?: AbortSignal) => Promise<RemoteFile>;

/** @throws StepwellError as the fetch does, and `fetch_failed` for a response that is not a success */
export async function fetchRemoteFile(
  fetch: GuardedFetch,
  url: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<RemoteFile> {
  const response = await fetch(url, { maxBytes, signal });
  if (response.status !== 200) {
    await response.body?.cancel();
    const { host } = new URL(response.url);
    throw new StepwellError("fetch_failed", `${host} responded with ${response.status} instead of a file.`);
  }
  const type = response.headers.get("content-type") ?? undefined;
  return { name: nameOfResponse(response), type, body: response.body ?? empty(), signal };
}

async function* empty(): AsyncGenerator<Uint8Array> {}
