/** Deletes a resource. What still uses it is shown first, and can be overruled. */
import { useState } from "react";
import { isServerError } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { type User, Users } from "../lists/users.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface DeleteDialogProps {
  readonly appId: string;
  readonly name: string;
  /** What else is to be known before. */
  readonly text?: string;
  /** What happens to what uses it. @default that it fails */
  readonly usedText?: string;
  /** @param force Whether to delete what is in use. */
  readonly onDelete: (force: boolean) => Promise<unknown>;
  readonly onClose: () => void;
}

export function DeleteDialog({ appId, name, text, usedText, onDelete, onClose }: DeleteDialogProps) {
  const { general, connections: texts } = useTexts();
  const [users, setUsers] = useState<readonly User[]>([]);
  const remove = async () => {
    try {
      await onDelete(users.length > 0);
    } catch (error) {
      if (isServerError(error) && error.users.length > 0) setUsers(error.users);
      throw error;
    }
  };
  return (
    <ConfirmDialog
      title={general.confirmDelete(name)}
      action={users.length > 0 ? texts.force : general.delete}
      onConfirm={remove}
      done={general.deleted(name)}
      onClose={onClose}
    >
      {text === undefined ? null : <p>{text}</p>}
      {users.length === 0 ? null : (
        <>
          <p>{usedText ?? texts.inUse}</p>
          <Users appId={appId} users={users} />
        </>
      )}
    </ConfirmDialog>
  );
}
