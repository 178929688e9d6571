/** Files of an output, by a link that expires. Pictures are shown, everything else is opened. */
import { useQuery } from "@tanstack/react-query";
import type { JsonValue } from "../../../../../src/json.ts";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { client } from "../../server/client.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { filesOf, type ShownFile } from "./shapes.ts";

export function FileView({ appId, value }: { readonly appId: string; readonly value: JsonValue }) {
  return (
    <ul className="file-list">
      {filesOf(value).map((file) => (
        <li key={file.id}>
          <OneFile appId={appId} file={file} />
        </li>
      ))}
    </ul>
  );
}

/** A picture of another type may contain a script, such as SVG. */
const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
const LINK_SECONDS = 3_600;

function OneFile({ appId, file }: { readonly appId: string; readonly file: ShownFile }) {
  const { run: texts } = useTexts();
  const format = useFormat();
  const link = useQuery({
    queryKey: [appId, "files", file.id, "link"],
    queryFn: ({ signal }) => client.with({ signal }).files.createLink(appId, file.id, { expires_in: LINK_SECONDS }),
    staleTime: (LINK_SECONDS * 1_000) / 2,
    retry: false,
  });
  return (
    <figure>
      {link.isLoading ? <Loading /> : null}
      {link.error === null ? null : <ProblemNote error={link.error} />}
      {link.data !== undefined && PICTURES.has(file.mime_type) ? <img src={link.data.url} alt={file.name} /> : null}
      <figcaption>
        <bdi>{file.name}</bdi> · {file.mime_type}
        {file.size === null ? null : ` · ${format.size(file.size)}`}{" "}
        {link.data === undefined ? null : (
          <a className="button" href={link.data.url} target="_blank" rel="noopener noreferrer">
            {texts.fileOpen}
          </a>
        )}
      </figcaption>
    </figure>
  );
}
