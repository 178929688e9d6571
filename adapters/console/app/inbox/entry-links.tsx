/** The public links to a form that exist, with who created them, until when they count and whether they were used. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ListedInputLink } from "../../../../src/forms/waiting-input.ts";
import { Button } from "../elements/controls/button.tsx";
import { ConfirmDialog } from "../elements/dialogs/confirm-dialog.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { isUsable, linksKey, type StepAt, useLinks } from "./links.ts";

export function EntryLinks(props: StepAt) {
  const { inbox, general } = useTexts();
  const list = useLinks(props);
  if (list.error !== null) return <ProblemNote error={list.error} onRetry={list.reload} />;
  if (list.items.length === 0) return null;
  return (
    <details className="entry-links">
      <summary>{inbox.links(list.items.length, list.hasMore)}</summary>
      <ul>
        {list.items.map((link) => (
          <LinkRow key={link.id} {...props} link={link} />
        ))}
      </ul>
      {list.hasMore ? <Button onClick={list.loadMore}>{general.loadMore}</Button> : null}
    </details>
  );
}

function LinkRow({ link, ...at }: StepAt & { readonly link: ListedInputLink }) {
  const { inbox } = useTexts();
  const format = useFormat();
  const queries = useQueryClient();
  const refusal = useScopeRefusal("runs:write");
  const [isAsking, setAsking] = useState(false);
  const { id, title, state, created_by, created_at, expires_at, used_at } = link;
  const name = title ?? id;
  const author = created_by === null ? null : (created_by.name ?? created_by.id);
  return (
    <li>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        <span className={`link-state ${state}`}>{inbox.linkStates[used_at === null ? state : "used"]}</span>
      </p>
      <p className="soft">
        {author === null
          ? inbox.linkCreated(format.short(created_at))
          : inbox.linkCreatedBy(format.short(created_at), author)}
        {" · "}
        {isUsable(link) || state === "expired" ? `${inbox.validUntil(format.short(expires_at))} · ` : null}
        {used_at === null ? inbox.linkUnused : inbox.linkUsed(format.short(used_at))}
      </p>
      {isUsable(link) ? (
        <Button kind="danger" refusal={refusal} aria-label={inbox.revokeOf(name)} onClick={() => setAsking(true)}>
          {inbox.revoke}
        </Button>
      ) : null}
      {isAsking ? (
        <ConfirmDialog
          title={inbox.revokeAsk(name)}
          action={inbox.revoke}
          onConfirm={async () => {
            await client.inputs.removeLink(at.appId, at.runId, at.stepKey, id);
            await queries.invalidateQueries({ queryKey: linksKey(at) });
          }}
          onClose={() => setAsking(false)}
        >
          <p>{inbox.revokeText}</p>
        </ConfirmDialog>
      ) : null}
    </li>
  );
}
