/** Exports the records that a list shows, as a download. */
import { type ReactNode, useState } from "react";
import type { Collection } from "../../../../src/collections/collection.ts";
import { ProblemNote } from "../elements/problem-note.tsx";
import { saveAs } from "../elements/save-as.ts";
import { client } from "../server/client.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

type Query = NonNullable<Parameters<typeof client.records.export>[2]>;

export function useExport(
  appId: string,
  collection: Collection,
  query: Query,
): { readonly start: (kind: "csv" | "jsonl") => void; readonly note: ReactNode } {
  const { records: texts } = useTexts();
  const format = useFormat();
  const [size, setSize] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);

  async function run(kind: "csv" | "jsonl"): Promise<void> {
    setError(null);
    setSize(0);
    try {
      const stream = await client.records.export(appId, collection.id, { ...query, format: kind });
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      let read = 0;
      for await (const bytes of stream) {
        pieces.push(new Uint8Array(bytes));
        read += bytes.length;
        setSize(read);
      }
      saveAs(new Blob(pieces), `${collection.name}.${kind}`);
    } catch (cause) {
      setError(cause);
    } finally {
      setSize(null);
    }
  }

  return {
    start: (kind) => void run(kind),
    note:
      error !== null ? (
        <ProblemNote error={error} />
      ) : size === null ? null : (
        <p role="status">{texts.exporting(format.size(size))}</p>
      ),
  };
}
