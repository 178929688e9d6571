/** Deletes a workflow. If something uses it, shows what, and deletes it only if asked again. */
import { useState } from "react";
import type { ResourceUser } from "../../../../src/errors.ts";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { ConfirmDialog } from "../elements/dialogs/confirm-dialog.tsx";
import { Link } from "../routing/link.tsx";
import { client, isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface DeleteWorkflowDialogProps {
  readonly workflow: Workflow;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

export function DeleteWorkflowDialog({ workflow, onDeleted, onClose }: DeleteWorkflowDialogProps) {
  const { workflows: texts, general } = useTexts();
  const [users, setUsers] = useState<readonly ResourceUser[]>([]);
  const { app_id: appId, id, name } = workflow;

  async function remove(force: boolean): Promise<void> {
    try {
      await client.workflows.remove(appId, id, { force });
    } catch (error) {
      if (isServerError(error) && error.users.length > 0) setUsers(error.users);
      throw error;
    }
    onDeleted();
  }

  if (users.length === 0)
    return (
      <ConfirmDialog
        title={general.confirmDelete(name)}
        action={general.delete}
        onConfirm={() => remove(false)}
        onClose={onClose}
      >
        <p>{texts.deleteText}</p>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      key="used"
      title={texts.usedTitle}
      action={texts.deleteAnyway}
      onConfirm={() => remove(true)}
      onClose={onClose}
    >
      <p>{texts.usedText}</p>
      <ul className="workflow-users">
        {users.map((user) => (
          <li key={`${user.type} ${user.id} ${user.collection_id ?? ""}`}>
            {texts.users[user.type]}{" "}
            <Link to={pathOf(appId, user)}>
              <bdi>{user.name ?? user.id}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

function pathOf(appId: string, { type, id, collection_id = "" }: ResourceUser): string {
  if (type === "workflow") return `/apps/${appId}/workflows/${id}`;
  if (type === "schedule") return `/apps/${appId}/schedules/${id}`;
  return `/apps/${appId}/collections/${collection_id}/settings`;
}
