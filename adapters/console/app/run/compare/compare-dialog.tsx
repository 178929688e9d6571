/** Chooses the run to compare with. */
import { omitUndefined } from "../../../../../src/json.ts";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { EmptyState } from "../../elements/lists/empty-state.tsx";
import { ListStates } from "../../elements/lists/list-states.tsx";
import { usePagedList } from "../../elements/lists/paged-list.ts";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { Time } from "../../elements/values/time.tsx";
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
    read: (pageToken, signal) =>
      client
        .with({ signal })
        .runs.list(
          appId,
          omitUndefined({ workflow_id: run.workflow_id, version: run.version, take: TAKE, page_token: pageToken }),
        ),
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
