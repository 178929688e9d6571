/**
 * Loads the parts of the page that are files of their own. The build puts it around every `import()` of the page.
 *
 * A browser never loads a module again that it could not load once. So the files are fetched first, into its cache: a fetch
 * can be repeated. Its status also says whether a file is gone, after an update of the server.
 */
import { checkConnection, untilBack } from "../server/connection.ts";

/** A part of the page that cannot be loaded now. */
export class ChunkError extends Error {
  /** `gone`: the server has a newer page. `unreachable`: it can be loaded later. `broken`: only in a fresh page. */
  readonly reason: "gone" | "unreachable" | "broken";

  constructor(reason: ChunkError["reason"], url: string, options?: ErrorOptions) {
    super(`A part of the page cannot be loaded (${reason}): ${url}`, options);
    this.reason = reason;
  }
}

/** Files by their URL. Those that could not be fetched are forgotten. */
const fetched = new Map<string, Promise<void>>(
  [...document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>("link[rel=modulepreload], script[src]")].map(
    (element) => ["src" in element ? element.src : element.href, Promise.resolve()],
  ),
);

/**
 * @param load The import itself.
 * @param files The file of the part and those that it needs, relative to the importing one.
 */
export async function loadChunk<T>(load: () => Promise<T>, files: readonly string[], importer: string): Promise<T> {
  const urls = files.map((file) => new URL(file, importer).href);
  await Promise.all(urls.map(fetchOnce));
  return load().catch((error: unknown) => {
    throw new ChunkError("broken", urls[0] ?? "", { cause: error });
  });
}

function fetchOnce(url: string): Promise<void> {
  const known = fetched.get(url);
  if (known !== undefined) return known;
  const fetching = fetchFile(url).catch((error: unknown) => {
    fetched.delete(url);
    throw error;
  });
  fetched.set(url, fetching);
  return fetching;
}

async function fetchFile(url: string): Promise<void> {
  if (await isFetched(url)) return;
  // A connection may break where the server can still be reached.
  if ((await checkConnection()) && (await isFetched(url))) return;
  throw new ChunkError("unreachable", url);
}

async function isFetched(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    if (response.status === 404) throw new ChunkError("gone", url);
    // Only a response that has been read stays in the cache.
    await response.arrayBuffer();
    return response.ok;
  } catch (error) {
    if (error instanceof ChunkError) throw error;
    return false;
  }
}

/**
 * Loads a part, and again when the server can be reached again.
 * @param signal Aborts when the part is no longer needed.
 * @returns Null for a part that is no longer needed, or that only a fresh page can load.
 */
export async function loadPatiently<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof ChunkError) || error.reason !== "unreachable") return null;
      await untilBack(signal);
    }
  }
  return null;
}
