/** An upload address that was created in this tab: to be passed on, until it is used or expires. */
import { useState } from "react";
import type { Upload } from "../../../../src/uploads/upload.ts";
import { Button } from "../elements/controls/button.tsx";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { LinkButton } from "../elements/controls/link-button.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { Facts } from "../elements/lists/facts.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { QrCode } from "../elements/values/qr-code.tsx";
import { Link } from "../routing/link.tsx";
import { navigate } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { useMay } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import type { Messages } from "../texts/messages.ts";
import { keptUpload } from "./kept-uploads.ts";
import { type UploadState, useUploadState } from "./upload-state.ts";
import "./files-screen.css";

export default function UploadScreen({ params: { app = "", file = "" } }: ScreenProps) {
  const { files: texts } = useTexts();
  const [upload] = useState(() => keptUpload(app, file));
  return (
    <div className="upload-address">
      <PageHead title={texts.addressTitle} />
      {upload === null ? (
        <EmptyState title={texts.addressGone}>
          <p>{texts.addressGoneText}</p>
          <LinkButton kind="primary" icon="plus" to={`/apps/${app}/uploads/new`}>
            {texts.newAddress}
          </LinkButton>
        </EmptyState>
      ) : (
        <Address appId={app} upload={upload} />
      )}
    </div>
  );
}

const STATE_TEXTS = {
  open: "addressText",
  expired: "addressExpired",
  arrived: "addressUsed",
  deleted: "addressFileGone",
} as const satisfies Readonly<Record<UploadState, keyof Messages["files"]>>;

function Address({ appId, upload }: { readonly appId: string; readonly upload: Upload }) {
  const { files: texts } = useTexts();
  const format = useFormat();
  const { upload_url, future_file_id, expires_at } = upload;
  const state = useUploadState(appId, upload);
  const isOpen = state === "open";
  const mayRead = useMay("files:read");
  return (
    <>
      <p role="status">
        {texts[STATE_TEXTS[state]]}{" "}
        {state === "arrived" && mayRead ? (
          <Link to={`/apps/${appId}/files/${future_file_id}`}>{texts.openFile}</Link>
        ) : null}
      </p>
      {isOpen ? (
        <p className="address">
          <a href={upload_url} target="_blank" rel="noopener noreferrer" dir="ltr">
            {upload_url}
          </a>
          <CopyButton text={upload_url} />
        </p>
      ) : null}
      <Facts facts={[{ label: texts.validUntil, value: format.exact(expires_at) }]} />
      {isOpen ? (
        <>
          <p className="soft">{texts.addressKept}</p>
          <QrCode text={upload_url} label={texts.qr} />
        </>
      ) : null}
      <Button kind="primary" onClick={() => navigate(`/apps/${appId}/files`)}>
        {texts.done}
      </Button>
    </>
  );
}
