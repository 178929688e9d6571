/** The connections of an app. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Connection } from "../../../../src/connections/connection.ts";
import { Button } from "../elements/button.tsx";
import { DeleteDialog } from "../elements/delete-dialog.tsx";
import { EmptyState } from "../elements/empty-state.tsx";
import { ListStates } from "../elements/list-states.tsx";
import { Menu } from "../elements/menu.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { usePagedList } from "../elements/paged-list.ts";
import { SearchField } from "../elements/search-field.tsx";
import { Table } from "../elements/table.tsx";
import { Time } from "../elements/time.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../screens.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { ConnectionForm } from "./connection-form.tsx";

export default function ConnectionsScreen({ params: { app = "" } }: ScreenProps) {
  const { connections: texts, common } = useTexts();
  const queries = useQueryClient();
  const [params, change] = useQueryParams();
  const search = params.get("search") ?? "";
  const [edited, setEdited] = useState<Connection | "new" | null>(null);
  const [deleted, setDeleted] = useState<Connection | null>(null);
  const mayWrite = useMay("connections:write");
  const me = useQuery({ queryKey: [app, "me"], queryFn: () => client.me(), staleTime: 60_000 });
  const hasSecret = me.data?.configured.secret !== false;
  const list = usePagedList({
    queryKey: [app, "connections", search],
    read: (page_token) =>
      client.connections.list(app, {
        ...(search === "" ? {} : { search }),
        ...(page_token === undefined ? {} : { page_token }),
      }),
  });
  const reload = () => queries.invalidateQueries({ queryKey: [app, "connections"] });
  return (
    <>
      <PageHead
        title={texts.title}
        below={hasSecret ? undefined : texts.noSecret}
        actions={
          <Button
            kind="primary"
            icon="plus"
            disabled={!mayWrite || !hasSecret}
            title={mayWrite ? undefined : common.needsScope("connections:write")}
            onClick={() => setEdited("new")}
          >
            {texts.create}
          </Button>
        }
      />
      <SearchField value={search} onChange={(text) => change({ search: text }, { replace: true })} />
      <ListStates
        list={list}
        empty={
          <EmptyState title={texts.empty}>
            <p>{texts.emptyText}</p>
          </EmptyState>
        }
      >
        {(connections) => (
          <Table
            label={texts.title}
            items={connections}
            keyOf={({ id }) => id}
            columns={[
              { name: "name", label: common.name, isHeader: true, cell: ({ name }) => <bdi>{name}</bdi> },
              { name: "service", label: texts.service, cell: ({ service }) => service },
              { name: "id", label: "ID", cell: ({ id }) => <code>{id}</code> },
              { name: "updated", label: common.updated, cell: ({ updated_at }) => <Time at={updated_at} /> },
              {
                name: "actions",
                label: <span className="visually-hidden">{common.more}</span>,
                align: "end",
                cell: (connection) => (
                  <Menu
                    label={`${common.more}: ${connection.name}`}
                    items={[
                      {
                        label: common.edit,
                        icon: "edit",
                        refusal: mayWrite ? undefined : common.needsScope("connections:write"),
                        onChoose: () => setEdited(connection),
                      },
                      {
                        label: common.delete,
                        icon: "trash",
                        isDangerous: true,
                        refusal: mayWrite ? undefined : common.needsScope("connections:write"),
                        onChoose: () => setDeleted(connection),
                      },
                    ]}
                  />
                ),
              },
            ]}
          />
        )}
      </ListStates>
      {edited === null ? null : (
        <ConnectionForm
          appId={app}
          connection={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={() => void reload()}
        />
      )}
      {deleted === null ? null : (
        <DeleteDialog
          appId={app}
          name={deleted.name}
          onClose={() => setDeleted(null)}
          onDelete={async (force) => {
            await client.connections.remove(app, deleted.id, { force });
            await reload();
          }}
        />
      )}
    </>
  );
}
