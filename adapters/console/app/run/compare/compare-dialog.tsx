/** Chooses the run to compare with. */
import { Dialog } from "../../elements/dialog.tsx";
import { EmptyState } from "../../elements/empty-state.tsx";
import { ListStates } from "../../elements/list-states.tsx";
import { usePagedList } from "../../elements/paged-list.ts";
import { StatusSign } from "../../elements/status-sign.tsx";
import { Time } from "../../elements/time.tsx";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";

const TAKE = 20;

export function CompareDialog({ onClose }: { readonly onClose: () => void }) {
  const { run: texts } = useTexts();
  const { appId, live, setParams } = useShownRun();
  const { run } = live;
  const list = usePagedList({
    queryKey: [appId, "runs", "of-version", run.workflow_id, run.version],
    read: (pageToken) =>
      client.runs.list(appId, {
        workflow_id: run.workflow_id,
        version: run.version,
        take: TAKE,
        ...(pageToken === undefined ? undefined : { page_token: pageToken }),
      }),
  });
  return (
    <Dialog title={texts.compareTitle} onClose={onClose}>
      <p>{texts.compareText}</p>
      <ListStates list={list} empty={<EmptyState title={texts.compareNone} />}>
        {(runs) => (
          <ul className="part-list">
            {runs
              .filter(({ id }) => id !== run.id)
              .map((other) => (
                <li key={other.id}>
                  <button
                    type="button"
                    onClick={() => {
                      setParams({ compare: other.id });
                      onClose();
                    }}
                  >
                    <code>{other.id}</code>
                    <StatusSign status={other.status} />
                    <Time at={other.created_at} />
                  </button>
                </li>
              ))}
          </ul>
        )}
      </ListStates>
    </Dialog>
  );
}
