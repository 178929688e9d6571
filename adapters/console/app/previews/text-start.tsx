/** The start of a text, and of CSV as a table. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { File } from "../../../../src/files/file.ts";
import { SwitchButtons } from "../elements/controls/switch-buttons.tsx";
import { Loading } from "../elements/loading.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { csvStart, isTable } from "./csv-start.ts";
import { CsvTable } from "./csv-table.tsx";
import { readContent } from "./read-content.ts";
import { HEAD_BYTES, headInUtf8 } from "./text-head.ts";

interface TextStartProps {
  readonly appId: string;
  readonly file: File;
}

export default function TextStart({ appId, file }: TextStartProps) {
  const text = useQuery({
    queryKey: [appId, "files", "text", file.id],
    queryFn: async ({ signal }) =>
      textOf(file, await readContent(appId, file.id, signal, Math.min(HEAD_BYTES, file.size))),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (text.isPending) return <Loading />;
  if (text.error !== null) return <ProblemNote error={text.error} onRetry={() => void text.refetch()} />;
  return <Start file={file} text={text.data} />;
}

const isWhole = ({ size }: File) => size <= HEAD_BYTES;

/** Invalid bytes of an encoding that was declared become signs for them. */
async function textOf({ charset }: File, bytes: Uint8Array): Promise<string> {
  const head = await headInUtf8(bytes, charset);
  return head.length > 0 ? new TextDecoder().decode(head) : new TextDecoder(charset).decode(bytes);
}

const VIEWS = ["table", "text"] as const;

function Start({ file, text }: { readonly file: File; readonly text: string }) {
  const { run: texts, files } = useTexts();
  const [view, setView] = useState<(typeof VIEWS)[number]>("table");
  const start = useMemo(
    () => (isTable(file.mime_type) ? csvStart(text, file.mime_type, isWhole(file)) : null),
    [file, text],
  );
  if (start === null) return <PlainStart file={file} text={text} />;
  return (
    <>
      <SwitchButtons
        label={texts.showAs}
        buttons={VIEWS.map((name) => ({ name, label: texts.shapes[name] }))}
        chosen={view}
        isSmall
        onChoose={setView}
      />
      {view === "table" ? <CsvTable label={files.preview} start={start} /> : <PlainStart file={file} text={text} />}
    </>
  );
}

function PlainStart({ file, text }: { readonly file: File; readonly text: string }) {
  const { general } = useTexts();
  const format = useFormat();
  return (
    <>
      <pre className="preview" dir="auto">
        {text}
      </pre>
      {isWhole(file) ? null : (
        <p className="soft">{general.tooLong(format.size(HEAD_BYTES), format.size(file.size))}</p>
      )}
    </>
  );
}
