/** Files that a run was given or has created: name, size, and a link that expires. */
import { useQuery } from "@tanstack/react-query";
import { Icon } from "../elements/icons.tsx";
import { client } from "../server/client.ts";
import { useFormat } from "../texts/format.ts";
import "./file-links.css";

const LINK_SECONDS = 3_600;

interface FileLinksProps {
  readonly appId: string;
  readonly ids: readonly string[];
  /** Names the list, where nothing around it does. */
  readonly label?: string;
}

export function FileLinks({ appId, ids, label }: FileLinksProps) {
  return (
    <ul className="file-links" aria-label={label}>
      {ids.map((id) => (
        <li key={id}>
          <FileLink appId={appId} id={id} />
        </li>
      ))}
    </ul>
  );
}

function FileLink({ appId, id }: { readonly appId: string; readonly id: string }) {
  const format = useFormat();
  const file = useQuery({
    queryKey: [appId, "files", id],
    queryFn: ({ signal }) => client.with({ signal }).files.get(appId, id),
    retry: false,
  });
  const link = useQuery({
    queryKey: [appId, "files", id, "link"],
    queryFn: ({ signal }) => client.with({ signal }).files.createLink(appId, id, { expires_in: LINK_SECONDS }),
    // A file that is gone has none.
    enabled: file.data !== undefined,
    staleTime: (LINK_SECONDS * 1_000) / 2,
    retry: false,
  });
  const name = <bdi>{file.data?.name ?? id}</bdi>;
  return (
    <>
      {link.data === undefined ? (
        name
      ) : (
        <a href={link.data.url} target="_blank" rel="noopener noreferrer">
          <Icon name="files" />
          {name}
        </a>
      )}
      {file.data === undefined ? null : <span className="soft"> · {format.size(file.data.size)}</span>}
    </>
  );
}
