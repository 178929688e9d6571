/** Fetches a file from a URL. */
import { StepwellError } from "../errors.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import { fileNameIn } from "./file-name.ts";

export interface RemoteFile {
  readonly name: string | undefined;
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
  const disposition = response.headers.get("content-disposition");
  const name = disposition === null ? undefined : fileNameIn(disposition);
  return { name: name ?? lastSegment(response.url), body: response.body ?? empty(), signal };
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}
