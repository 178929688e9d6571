/** Creates a public link to a form: for people without an account, and for phones. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { InputLink, ListedInputLink } from "../../../../src/forms/waiting-input.ts";
import { omitUndefined } from "../../../../src/json.ts";
import { LANGUAGES, type Language } from "../../../../src/web-pages/languages.ts";
import { Button } from "../elements/controls/button.tsx";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { useAction } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { useLock } from "../elements/use-lock.ts";
import { QrCode } from "../elements/values/qr-code.tsx";
import { client } from "../server/client.ts";
import { LANGUAGE_NAMES } from "../settings/settings.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { isUsable, linksKey, useLinks } from "./links.ts";

interface LinkDialogProps {
  readonly appId: string;
  readonly runId: string;
  readonly stepKey: string;
  readonly workflowName: string;
  /** Whether the step no longer waits, so that no link leads to its form. */
  readonly isOver: boolean;
  readonly onClose: () => void;
}

export function LinkDialog({ appId, runId, stepKey, workflowName, isOver, onClose }: LinkDialogProps) {
  const { inbox, general } = useTexts();
  const [link, setLink] = useState<InputLink | null>(null);
  const [isRevoked, setRevoked] = useState(false);
  const links = useLinks({ appId, runId, stepKey });
  const queries = useQueryClient();
  const { isBusy, error, run } = useAction();
  const formId = useId();
  const isAsking = (link === null || isRevoked) && !isOver;
  const listed = links.items.find(({ id }) => id === link?.id) ?? null;
  const listAgain = () => queries.invalidateQueries({ queryKey: linksKey({ appId, runId, stepKey }) });
  return (
    <Dialog
      title={inbox.shareTitle}
      onClose={onClose}
      actions={
        isAsking ? (
          <>
            <Button onClick={onClose}>{general.cancel}</Button>
            <Button kind="primary" type="submit" form={formId} isBusy={isBusy}>
              {inbox.createLink}
            </Button>
          </>
        ) : undefined
      }
    >
      {isAsking ? (
        <>
          {isRevoked ? <p role="status">{inbox.revoked}</p> : <p>{inbox.shareText}</p>}
          <p>{inbox.sharePrivacy}</p>
          <LinkForm
            id={formId}
            title={`${workflowName}: ${stepKey}`.slice(0, 256)}
            isBusy={isBusy}
            error={error}
            create={(settings) =>
              void run(async () => {
                setLink(await client.inputs.createLink(appId, runId, stepKey, settings));
                setRevoked(false);
                void listAgain();
              })
            }
          />
        </>
      ) : link === null || isRevoked || (isOver && (listed === null || isUsable(listed))) ? (
        <p role="status">{inbox.answered}</p>
      ) : (
        <CreatedLink
          link={link}
          listed={listed}
          revoke={async () => {
            await client.inputs.removeLink(appId, runId, stepKey, link.id);
            setRevoked(true);
            void listAgain();
          }}
        />
      )}
    </Dialog>
  );
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
const LIFETIMES = [HOUR, DAY, 7 * DAY, 30 * DAY] as const;

interface LinkSettings {
  expires_in: number;
  title?: string;
  text?: string;
  language?: Language;
}

interface LinkFormProps {
  readonly id: string;
  readonly title: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly create: (settings: LinkSettings) => void;
}

function LinkForm({ id, title: first, isBusy, error, create }: LinkFormProps) {
  const { inbox } = useTexts();
  const [expiresIn, setExpiresIn] = useState<number>(7 * DAY);
  const [language, setLanguage] = useState<Language | "">("");
  const [title, setTitle] = useState(first);
  const [text, setText] = useState("");
  const place = useFocusOnRefusal<HTMLFormElement>(error);
  useLock(place, () => isBusy);

  function submit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    const optional = { title: title.trim() || undefined, text: text || undefined, language: language || undefined };
    create({ expires_in: expiresIn, ...omitUndefined(optional) });
  }

  return (
    <form ref={place} id={id} className="form-body" onSubmit={submit}>
      {error === null ? null : <ProblemNote error={error} />}
      <Field label={inbox.expires}>
        {(attributes) => (
          <select {...attributes} value={expiresIn} onChange={({ target }) => setExpiresIn(Number(target.value))}>
            {LIFETIMES.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds < DAY ? inbox.hours(seconds / HOUR) : inbox.days(seconds / DAY)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={inbox.language}>
        {(attributes) => (
          <select
            {...attributes}
            value={language}
            onChange={({ target }) => setLanguage(LANGUAGES.find((one) => one === target.value) ?? "")}
          >
            <option value="">{inbox.browserLanguage}</option>
            {LANGUAGES.map((one) => (
              <option key={one} value={one}>
                {LANGUAGE_NAMES[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={inbox.linkTitle}>
        {(attributes) => (
          <input {...attributes} maxLength={256} value={title} onChange={({ target }) => setTitle(target.value)} />
        )}
      </Field>
      <Field label={inbox.linkText} isOptional={true}>
        {(attributes) => (
          <textarea {...attributes} maxLength={10_240} value={text} onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
    </form>
  );
}

interface CreatedLinkProps {
  readonly link: InputLink;
  /** What has become of it; null until the list has it. */
  readonly listed: ListedInputLink | null;
  readonly revoke: () => Promise<void>;
}

function CreatedLink({ link, listed, revoke }: CreatedLinkProps) {
  const { inbox } = useTexts();
  const format = useFormat();
  const { isBusy, error, run } = useAction();
  useFocusOnRefusal(error);
  if (listed !== null && !isUsable(listed))
    return (
      <p role="status">
        {listed.used_at === null ? inbox.linkStates[listed.state] : inbox.linkUsedText(format.exact(listed.used_at))}
      </p>
    );
  return (
    <div className="created-link">
      {error === null ? null : <ProblemNote error={error} />}
      <Field label={inbox.linkUrl} hint={inbox.linkOnce}>
        {(attributes) => (
          <span className="link-url">
            <input
              {...attributes}
              readOnly={true}
              dir="ltr"
              value={link.url}
              onFocus={({ target }) => target.select()}
            />
            <CopyButton text={link.url} label={inbox.copyLink} />
          </span>
        )}
      </Field>
      <QrCode text={link.url} label={inbox.qr} />
      <p>{inbox.validUntil(format.exact(link.expires_at))}</p>
      <div className="form-actions">
        <Button kind="danger" isBusy={isBusy} onClick={() => void run(revoke)}>
          {inbox.revoke}
        </Button>
      </div>
    </div>
  );
}
