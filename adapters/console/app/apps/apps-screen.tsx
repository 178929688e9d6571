/** The apps of the server, for admins. */

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { useAction } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { messageOf } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { useLock } from "../elements/use-lock.ts";
import { Time } from "../elements/values/time.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
import { Link } from "../routing/link.tsx";
import { useNavigateFromHere } from "../routing/location.ts";
import { type ScreenProps, sectionPath } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { firstSection } from "../session/section-scopes.ts";
import { openApp, type Session } from "../session/session.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import "./apps-screen.css";

export default function AppsScreen(props: ScreenProps) {
  const session = useSession();
  return session.admin ? <Apps {...props} /> : <AdminOnly session={session} />;
}

function AdminOnly({ session }: { readonly session: Session }) {
  const { session: texts, frame } = useTexts();
  const first = firstSection(session);
  return (
    <div className="apps-screen">
      <PageHead title={frame.apps} />
      <EmptyState title={texts.appsAdminOnly}>
        <Link to={sectionPath(session.app_id ?? "", first)}>{frame[first]}</Link>
      </EmptyState>
    </div>
  );
}

function Apps({ onSession }: ScreenProps) {
  const navigateFromHere = useNavigateFromHere();
  const { session: texts, frame, general } = useTexts();
  const list = usePagedList({
    queryKey: ["apps"],
    read: (page_token, signal) => client.with({ signal }).apps.list(page_token === undefined ? {} : { page_token }),
  });
  const { dialog, attempt } = useProblemDialog();
  const open = (id: string) =>
    attempt(async () => {
      onSession(await openApp(id));
      navigateFromHere(`/apps/${id}`);
    });
  return (
    <div className="apps-screen">
      <PageHead title={frame.apps} />
      <NewApp onCreated={(id) => void open(id)} />
      <ListStates list={list} empty={<EmptyState title={texts.noApps} />}>
        {(apps) => (
          <Table
            label={frame.apps}
            items={apps}
            keyOf={({ id }) => id}
            columns={[
              {
                name: "name",
                label: general.name,
                isHeader: true,
                cell: ({ id, name }) => (
                  <button type="button" className="link-button" onClick={() => void open(id)}>
                    <bdi>{nameOr(name, id)}</bdi>
                  </button>
                ),
              },
              { name: "id", label: "ID", cell: ({ id }) => <code>{id}</code> },
              { name: "created", label: general.created, cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
        )}
      </ListStates>
      {dialog}
    </div>
  );
}

function NewApp({ onCreated }: { readonly onCreated: (id: string) => void }) {
  const { session: texts, general } = useTexts();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const { isBusy, error, run } = useAction();
  const place = useFocusOnRefusal<HTMLFormElement>(error);
  useLock(place, () => isBusy);

  function submit(event: FormEvent): void {
    event.preventDefault();
    void run(async () => {
      const { id } = await client.apps.create({ name });
      await queries.invalidateQueries({ queryKey: ["apps"] });
      onCreated(id);
    });
  }

  return (
    <form ref={place} className="new-app" onSubmit={submit}>
      <Field label={texts.appName} error={error === null ? null : messageOf(error, general)}>
        {(attributes) => (
          <input {...attributes} required value={name} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Button type="submit" kind="primary" icon="plus" isBusy={isBusy}>
        {texts.createApp}
      </Button>
    </form>
  );
}
