/** One file: what it is, a preview, and its settings. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { File } from "../../../../src/files/file.ts";
import { Button } from "../elements/controls/button.tsx";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { Facts } from "../elements/lists/facts.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { useNavigateFromHere } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { FileForm } from "./file-form.tsx";
import { FilePreview } from "./file-preview.tsx";
import "./files-screen.css";

export default function FileScreen({ params: { app = "", file: id = "" } }: ScreenProps) {
  const found = useQuery({
    queryKey: [app, "files", "one", id],
    queryFn: ({ signal }) => client.with({ signal }).files.get(app, id),
    ...LIVE_QUERY,
  });
  return (
    <Loaded query={found} screen={{ appId: app, section: "files" }}>
      {(file) => <OneFile appId={app} file={file} />}
    </Loaded>
  );
}

function OneFile({ appId, file }: { readonly appId: string; readonly file: File }) {
  const navigateFromHere = useNavigateFromHere();
  const { files: texts, general } = useTexts();
  const format = useFormat();
  const queries = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const { dialog, attempt, isBusy } = useProblemDialog();
  const refusal = useScopeRefusal("files:write");
  const reload = () => queries.invalidateQueries({ queryKey: [appId, "files"] });
  const download = () =>
    attempt(async () => {
      const { url } = await client.files.createLink(appId, file.id, {});
      location.assign(url);
    });
  return (
    <div className="file-screen">
      <PageHead
        title={file.name}
        actions={
          <>
            <Button icon="download" kind="primary" isBusy={isBusy} onClick={() => void download()}>
              {general.download}
            </Button>
            <Menu
              label={general.more}
              items={[
                { label: general.edit, icon: "edit", refusal, onChoose: () => setEditing(true) },
                { label: general.delete, icon: "trash", isDangerous: true, refusal, onChoose: () => setDeleting(true) },
              ]}
            />
          </>
        }
      />
      <Facts
        facts={[
          { label: texts.type, value: file.mime_type },
          { label: texts.size, value: format.exactSize(file.size) },
          { label: texts.visibility, value: texts.visibilities[file.visibility] },
          { label: general.created, value: format.exact(file.created_at) },
          { label: texts.expires, value: file.expires_at === null ? texts.keptForGood : format.exact(file.expires_at) },
          { label: "ID", value: <code>{file.id}</code> },
          {
            label: texts.digest,
            value: (
              <>
                <code>{file.sha256}</code> <CopyButton text={file.sha256} />
              </>
            ),
          },
        ]}
      />
      <section className="file-preview">
        <h2>{texts.preview}</h2>
        <FilePreview appId={appId} file={file} />
      </section>
      {dialog}
      {isEditing ? (
        <FileForm appId={appId} file={file} onClose={() => setEditing(false)} onSaved={() => void reload()} />
      ) : null}
      {isDeleting ? (
        <DeleteDialog
          appId={appId}
          name={file.name}
          text={texts.deleteText}
          onClose={() => setDeleting(false)}
          onDelete={async () => {
            await client.files.remove(appId, file.id);
            navigateFromHere(`/apps/${appId}/files`);
            await reload();
          }}
        />
      ) : null}
    </div>
  );
}
