/** Reads responses with a bound: servers, proxies and captive portals may send anything. */
import { StepwellError } from "../errors.ts";

/** Reads text until it has more bytes than that, and then cancels the rest. `isWhole` says whether that was all. */
export async function readText(
  { body }: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; size <= maxBytes; ) {
    const read = await reader?.read();
    if (read?.value === undefined) return { text: text + decoder.decode(), isWhole: true };
    size += read.value.length;
    text += decoder.decode(read.value, { stream: true });
  }
  // Not awaited: a stream that never ends may not end when it is canceled either.
  reader?.cancel().catch(() => undefined);
  return { text, isWhole: false };
}

/**
 * Reads JSON. An empty 204 is undefined.
 * @throws StepwellError `too_large`; `unavailable` for anything but JSON, which Stepwell does not send
 */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  if (response.status === 204) return undefined;
  const { text, isWhole } = await readText(response, maxBytes);
  if (!isWhole) throw tooLarge(maxBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpected(response, "JSON", cause);
  }
}

export function tooLarge(maxBytes: number): StepwellError {
  return new StepwellError("too_large", `The response exceeds ${maxBytes} bytes, the option maxResponseBytes.`);
}

/** The error for a response that is not Stepwell's. */
export function unexpected(response: Response, expected: string, cause?: unknown): StepwellError {
  const type = response.headers.get("content-type") ?? "no Content-Type";
  return new StepwellError(
    "unavailable",
    `The response has the status ${response.status} and ${type}, but is not ${expected}. Check the option url.`,
    { cause },
  );
}
