/** A picture, the start of a text, or that of CSV as a table. Other types are not shown: their bytes come from anyone. */
import { useQuery } from "@tanstack/react-query";
import type { File } from "../../../../src/files/file.ts";
import { Loading } from "../elements/loading.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useBlobUrl } from "../elements/values/use-blob-url.ts";
import { part } from "../loading/part.tsx";
import { readContent } from "../previews/read-content.ts";
import { useTexts } from "../texts/language.ts";

const TextStart = part(() => import("../previews/text-start.tsx"));
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
    queryFn: async ({ signal }) => new Blob([await readContent(appId, file.id, signal)], { type: file.mime_type }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useBlobUrl(bytes.data);
  if (bytes.error !== null) return <ProblemNote error={bytes.error} onRetry={() => void bytes.refetch()} />;
  return url === null ? <Loading /> : <img className="preview" src={url} alt={file.name} />;
}
