/** The files of an app: search, upload, and addresses for people without an account. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { LinkButton } from "../elements/controls/link-button.tsx";
import { SearchField } from "../elements/fields/search-field.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { Time } from "../elements/values/time.tsx";
import { Link } from "../routing/link.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { addFiles } from "./file-queue.ts";
import { UploadButton } from "./upload-button.tsx";
import { useDroppedFiles } from "./use-dropped-files.ts";
import "./files-screen.css";

export default function FilesScreen({ params: { app = "" } }: ScreenProps) {
  const { files: texts, general } = useTexts();
  const format = useFormat();
  const queries = useQueryClient();
  const [params, change] = useQueryParams();
  const search = params.get("search") ?? "";
  const refusal = useScopeRefusal("files:write");
  const mayWrite = refusal === undefined;
  const list = usePagedList({
    queryKey: [app, "files", search],
    isLive: true,
    read: (page_token, signal) =>
      client.with({ signal }).files.list(app, {
        ...omitUndefined({ search: search === "" ? undefined : search, page_token }),
      }),
  });
  const add = useCallback((files: readonly File[]) => addFiles(app, files), [app]);
  const reload = useCallback(() => void queries.invalidateQueries({ queryKey: [app, "files"] }), [app, queries]);
  const isOver = useDroppedFiles(mayWrite ? add : null);
  const createButton = mayWrite ? (
    <LinkButton kind="primary" icon="plus" to={`/apps/${app}/uploads/new`}>
      {texts.newAddress}
    </LinkButton>
  ) : (
    <Button kind="primary" icon="plus" refusal={refusal}>
      {texts.newAddress}
    </Button>
  );
  return (
    <>
      <PageHead
        title={texts.title}
        actions={
          <>
            <UploadButton appId={app} onUploaded={reload} />
            {createButton}
          </>
        }
      />
      {isOver ? <p className="drop-place">{texts.dropHere}</p> : null}
      <SearchField value={search} onChange={(text) => change({ search: text }, { replace: true })} />
      <ListStates
        list={list}
        empty={
          <EmptyState title={texts.empty}>
            <p>{texts.emptyText}</p>
            {search === "" ? createButton : null}
          </EmptyState>
        }
      >
        {(files) => (
          <Table
            label={texts.title}
            items={files}
            keyOf={({ id }) => id}
            columns={[
              {
                name: "name",
                label: general.name,
                isHeader: true,
                cell: ({ id, name }) => (
                  <Link to={`/apps/${app}/files/${id}`}>
                    <bdi>{name}</bdi>
                  </Link>
                ),
              },
              { name: "type", label: texts.type, cell: ({ mime_type }) => mime_type },
              { name: "size", label: texts.size, align: "end", cell: ({ size }) => format.size(size) },
              { name: "created", label: general.created, cell: ({ created_at }) => <Time at={created_at} /> },
              {
                name: "expires",
                label: texts.expires,
                cell: ({ expires_at }) =>
                  expires_at === null ? texts.keptForGood : <Time at={expires_at} mayBeAhead />,
              },
            ]}
          />
        )}
      </ListStates>
    </>
  );
}
