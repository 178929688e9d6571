/** The API keys of an app, for admins. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { IssuedKey, Key } from "../../../../src/apps/key.ts";
import { Button } from "../elements/controls/button.tsx";
import { ConfirmDialog } from "../elements/dialogs/confirm-dialog.tsx";
import { ShownOnce } from "../elements/dialogs/shown-once.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { Time } from "../elements/values/time.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useNow } from "../server/now.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { NewKey } from "./new-key.tsx";
import "./keys-screen.css";

const HOUR_MS = 3_600_000;

export default function KeysScreen({ params: { app = "" } }: ScreenProps) {
  const { keys: texts } = useTexts();
  const { admin } = useSession();
  return admin ? (
    <Keys appId={app} />
  ) : (
    <>
      <PageHead title={texts.title} />
      <EmptyState title={texts.adminOnly} />
    </>
  );
}

function Keys({ appId }: { readonly appId: string }) {
  const { keys: texts } = useTexts();
  const queries = useQueryClient();
  const [params] = useQueryParams();
  const [isCreating, setCreating] = useState(params.has("new"));
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const queryKey = [appId, "keys"];
  const list = usePagedList({
    queryKey,
    read: (page_token, signal) =>
      client.with({ signal }).keys.list(appId, page_token === undefined ? {} : { page_token }),
  });
  const reload = () => queries.invalidateQueries({ queryKey });
  const createButton = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <PageHead title={texts.title} actions={createButton} />
      <ListStates list={list} empty={<EmptyState title={texts.empty}>{createButton}</EmptyState>}>
        {(keys) => <KeyTable keys={keys} onRevoke={setRevoked} />}
      </ListStates>
      {isCreating ? (
        <NewKey
          appId={appId}
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setIssued(key);
            void reload();
          }}
        />
      ) : null}
      {issued === null ? null : (
        <ShownOnce title={texts.issued} hint={texts.issuedHint} secret={issued.key} onClose={() => setIssued(null)} />
      )}
      {revoked === null ? null : (
        <ConfirmDialog
          title={texts.revokeTitle(revoked.name)}
          action={texts.revoke}
          done={texts.revokedKey(revoked.name)}
          onClose={() => setRevoked(null)}
          onConfirm={async () => {
            await client.keys.remove(appId, revoked.id);
            await reload();
          }}
        >
          <p>{texts.revokeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onRevoke: (key: Key) => void;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const { keys: texts, general, inbox } = useTexts();
  return (
    <Table
      label={texts.title}
      items={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "name",
          label: general.name,
          isHeader: true,
          cell: ({ name }) => <bdi className="key-name">{name}</bdi>,
        },
        {
          name: "scopes",
          label: texts.scopes,
          cell: ({ scopes }) => (scopes === null ? texts.allScopes : scopes.join(", ")),
        },
        { name: "created", label: general.created, isRare: true, cell: ({ created_at }) => <Time at={created_at} /> },
        {
          name: "used",
          label: texts.lastUsed,
          cell: ({ last_used_at }) => (last_used_at === null ? texts.notUsed : <LastUse at={last_used_at} />),
        },
        {
          name: "expires",
          label: texts.expires,
          cell: ({ expires_at }) => (expires_at === null ? general.never : <Time at={expires_at} mayBeAhead />),
        },
      ]}
      actions={(key) => (
        <Button kind="quiet" aria-label={inbox.revokeOf(key.name)} onClick={() => onRevoke(key)}>
          {texts.revoke}
        </Button>
      )}
    />
  );
}

/** The server stores it to the hour: minutes would be invented. */
function LastUse({ at }: { readonly at: string }) {
  const { keys: texts } = useTexts();
  const now = useNow();
  if (now - Date.parse(at) < HOUR_MS) return <time dateTime={at}>{texts.usedRecently}</time>;
  return <Time at={at} />;
}
