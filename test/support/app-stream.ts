/** Readers of the stream of an app. */
import type { AppChange, Stepwell } from "../../src/index.ts";

export interface Reader {
  readonly seen: readonly AppChange[];
  /** The changes since the last call, without their times: the type, then the ID of the resource or the step. */
  news(): string[];
  readonly isOver: boolean;
  stop(): void;
}

/** Reads all changes of an app, as they come. */
export function follow({ apps }: Pick<Stepwell, "apps">, app: string): Reader {
  const stopped = new AbortController();
  return read(apps.stream(app, { signal: stopped.signal }), () => stopped.abort());
}

/** Reads the changes that a response contains. */
export function readResponse(response: Response): Reader {
  const decoder = new TextDecoderStream();
  const reader = response.body?.pipeThrough(decoder as ReadableWritablePair<string, Uint8Array>).getReader();
  async function* changes(): AsyncGenerator<AppChange> {
    let rest = "";
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done) return;
      const [, ...blocks] = `\n\n${rest}${value}`.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (data !== undefined) yield JSON.parse(data);
      }
    }
  }
  return read(changes(), () => void reader?.cancel());
}

function read(changes: AsyncIterable<AppChange>, stop: () => void): Reader {
  const seen: AppChange[] = [];
  let told = 0;
  const reader = {
    seen,
    isOver: false,
    stop,
    news() {
      const all = seen.slice(told).map(show);
      told = seen.length;
      return all;
    },
  };
  void (async () => {
    for await (const change of changes) seen.push(change);
  })().finally(() => {
    reader.isOver = true;
  });
  return reader;
}

function show(change: AppChange): string {
  if ("step_key" in change) return `${change.type} ${change.step_key}`;
  if ("run" in change) return `${change.type} ${change.run.status}`;
  return "id" in change ? `${change.type} ${change.id}` : change.type;
}
