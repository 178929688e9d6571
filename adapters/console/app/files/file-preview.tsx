/** A picture, or the start of a text. Other types are not shown: their bytes come from anyone. */
import { useQuery } from "@tanstack/react-query";
import type { File } from "../../../../src/files/file.ts";
import { Loading } from "../elements/loading.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useBlobUrl } from "../elements/values/use-blob-url.ts";
import { client } from "../server/client.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

const TEXT_BYTES = 65_536;
const MAX_PICTURE_BYTES = 20 * 1_048_576;
/** Pictures that cannot contain scripts. */
const PICTURES = /^image\/(png|jpeg|gif|webp|avif)$/;
const TEXTS = /^(text\/|application\/(json|xml|x-ndjson|yaml))/;

export function FilePreview({ appId, file }: { readonly appId: string; readonly file: File }) {
  const { files: texts } = useTexts();
  if (PICTURES.test(file.mime_type) && file.size <= MAX_PICTURE_BYTES) return <Picture appId={appId} file={file} />;
  if (TEXTS.test(file.mime_type) && file.size > 0) return <TextStart appId={appId} file={file} />;
  return <p className="soft">{texts.noPreview}</p>;
}

function Picture({ appId, file }: { readonly appId: string; readonly file: File }) {
  const bytes = useQuery({
    queryKey: [appId, "files", "bytes", file.id],
    queryFn: async ({ signal }) => new Blob([await readBytes(appId, file.id, signal)], { type: file.mime_type }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useBlobUrl(bytes.data);
  if (bytes.error !== null) return <ProblemNote error={bytes.error} onRetry={() => void bytes.refetch()} />;
  return url === null ? <Loading /> : <img className="preview" src={url} alt={file.name} />;
}

function TextStart({ appId, file }: { readonly appId: string; readonly file: File }) {
  const { general } = useTexts();
  const format = useFormat();
  const text = useQuery({
    queryKey: [appId, "files", "text", file.id],
    queryFn: async ({ signal }) =>
      new TextDecoder(file.charset ?? "utf-8").decode(await readBytes(appId, file.id, signal, TEXT_BYTES)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (text.isPending) return <Loading />;
  if (text.error !== null) return <ProblemNote error={text.error} onRetry={() => void text.refetch()} />;
  return (
    <>
      <pre className="preview" dir="auto">
        {text.data}
      </pre>
      {file.size > TEXT_BYTES ? (
        <p className="soft">{general.tooLong(format.size(TEXT_BYTES), format.size(file.size))}</p>
      ) : null}
    </>
  );
}

async function readBytes(appId: string, fileId: string, signal: AbortSignal, end?: number): Promise<ArrayBuffer> {
  const { body } = await client
    .with({ signal })
    .files.content(appId, fileId, end === undefined ? undefined : { start: 0, end });
  return new Response(body).arrayBuffer();
}
