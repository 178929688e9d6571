/**
 * Reads server-sent events (HTML standard §9.2). Not with a library: the smallest one is a seventh of what this client may
 * weigh, and the part of the format that a stream by fetch needs is short.
 */
import { tooLarge, unexpected } from "../response-body.ts";

/** Stepwell sends a comment every 15 seconds. After this time without any byte, the connection is dead. */
export const MAX_SILENCE_MS = 45_000;

export interface StreamedEvent {
  /** Id of this event or the last one before it that had an id; null before the first. */
  readonly id: string | null;
  readonly data: unknown;
}

/**
 * The data of each event, as JSON. Ends when the server closes the stream; an incomplete event at its end is dropped.
 * @throws StepwellError `unavailable` for another type of content; `too_large` for a larger event. Also throws whatever
 * breaks the stream.
 */
export async function* readEvents(response: Response, maxBytes: number): AsyncGenerator<StreamedEvent, void> {
  const { body, headers } = response;
  if (body === null || !/^text\/event-stream\b/i.test(headers.get("content-type") ?? "")) {
    throw unexpected(response, "a stream of events");
  }
  const reader = body.getReader();
  const decoder = new TextDecoder();
  /** Of an incomplete line, joined once it is complete: it may arrive byte by byte. */
  let pieces: string[] = [];
  let size = 0;
  let id: string | null = null;
  let data = "";
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      pieces.push(text);
      size += text.length;
      if (/[\r\n]/.test(text)) {
        // A carriage return at the end may be the first half of a line end.
        const lines = pieces.join("").split(/\r\n|\n|\r(?!$)/);
        pieces = lines.splice(-1);
        for (const line of lines) {
          const [, field, rest = ""] = /^([^:]*):? ?(.*)/s.exec(line) ?? [];
          if (field === "data") data += `${rest}\n`;
          else if (field === "id" && !rest.includes("\0")) id = rest;
          else if (line === "" && data !== "") {
            yield { id, data: parse(data, response) };
            data = "";
          }
        }
        size = data.length + (pieces[0]?.length ?? 0);
      }
      if (size > maxBytes) throw tooLarge(maxBytes);
    }
  } finally {
    // Not awaited: the other end may be gone.
    reader.cancel().catch(() => undefined);
  }
}

function parse(data: string, response: Response): unknown {
  let cause: unknown;
  try {
    const event: unknown = JSON.parse(data);
    if (typeof Object(event).type === "string") return event;
  } catch (error) {
    cause = error;
  }
  throw unexpected(response, "a stream of events", cause);
}

function withinSilence<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no bytes for ${MAX_SILENCE_MS} ms`)), MAX_SILENCE_MS);
  });
  return Promise.race([read, silence]).finally(() => clearTimeout(timer));
}
