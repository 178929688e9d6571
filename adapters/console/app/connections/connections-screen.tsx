/** The connections of an app. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Connection } from "../../../../src/connections/connection.ts";
import { omitUndefined } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { SearchField } from "../elements/fields/search-field.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { Time } from "../elements/values/time.tsx";
import NewConnection from "../forms/connections/new-connection.tsx";
import { Form } from "../forms/form.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useMe } from "../steps/server-data.ts";
import { useTexts } from "../texts/language.ts";
import { EditConnection } from "./edit-connection.tsx";

export default function ConnectionsScreen({ params: { app = "" } }: ScreenProps) {
  const { connections: texts } = useTexts();
  const queries = useQueryClient();
  const [params, change] = useQueryParams();
  const search = params.get("search") ?? "";
  const [edited, setEdited] = useState<Connection | "new" | null>(null);
  const [deleted, setDeleted] = useState<Connection | null>(null);
  const refusal = useScopeRefusal("connections:write");
  const hasSecret = useMe(app)?.configured.secret !== false;
  const list = usePagedList({
    queryKey: [app, "connections", search],
    read: (page_token, signal) =>
      client.with({ signal }).connections.list(app, {
        ...omitUndefined({ search: search === "" ? undefined : search, page_token }),
      }),
  });
  const reload = () => queries.invalidateQueries({ queryKey: [app, "connections"] });
  const createButton = (
    <Button kind="primary" icon="plus" disabled={!hasSecret} refusal={refusal} onClick={() => setEdited("new")}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <PageHead title={texts.title} below={hasSecret ? undefined : texts.noSecret} actions={createButton} />
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
        {(connections) => <ConnectionTable connections={connections} onEdit={setEdited} onDelete={setDeleted} />}
      </ListStates>
      {edited === "new" ? (
        <NewConnection
          Form={Form}
          appId={app}
          allowedTypes={null}
          onClose={() => setEdited(null)}
          onCreated={() => {
            setEdited(null);
            void reload();
          }}
        />
      ) : edited === null ? null : (
        <EditConnection appId={app} connection={edited} onClose={() => setEdited(null)} onSaved={() => void reload()} />
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

interface ConnectionTableProps {
  readonly connections: readonly Connection[];
  readonly onEdit: (connection: Connection) => void;
  readonly onDelete: (connection: Connection) => void;
}

function ConnectionTable({ connections, onEdit, onDelete }: ConnectionTableProps) {
  const { connections: texts, general } = useTexts();
  const refusal = useScopeRefusal("connections:write");
  return (
    <Table
      label={texts.title}
      items={connections}
      keyOf={({ id }) => id}
      columns={[
        { name: "name", label: general.name, isHeader: true, cell: ({ name }) => <bdi>{name}</bdi> },
        { name: "service", label: texts.service, cell: ({ service }) => service },
        { name: "id", label: "ID", cell: ({ id }) => <code>{id}</code> },
        { name: "updated", label: general.updated, cell: ({ updated_at }) => <Time at={updated_at} /> },
      ]}
      actions={(connection) => (
        <Menu
          isInRow
          label={`${general.more}: ${connection.name}`}
          items={[
            {
              label: general.edit,
              icon: "edit",
              refusal,
              onChoose: () => onEdit(connection),
            },
            {
              label: general.delete,
              icon: "trash",
              isDangerous: true,
              refusal,
              onChoose: () => onDelete(connection),
            },
          ]}
        />
      )}
    />
  );
}
