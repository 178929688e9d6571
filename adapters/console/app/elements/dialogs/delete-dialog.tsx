/** Deletes a resource. What still uses it is shown first, and can be overruled. */
import { useState } from "react";
import { isServerError } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { type User, Users } from "../lists/users.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

const usersIn = (error: unknown): readonly User[] => (isServerError(error) ? error.users : []);
const isInUse = (error: unknown) => usersIn(error).length > 0;

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
      if (isInUse(error)) setUsers(usersIn(error));
      throw error;
    }
  };
  return (
    <ConfirmDialog
      title={general.confirmDelete(name)}
      action={users.length > 0 ? texts.force : general.delete}
      onConfirm={remove}
      isExplained={isInUse}
      done={general.deleted(name)}
      onClose={onClose}
    >
      {text === undefined ? null : <p>{text}</p>}
      {users.length === 0 ? null : (
        <div role="alert" tabIndex={-1}>
          <p>{usedText ?? texts.inUse}</p>
          <Users appId={appId} users={users} />
        </div>
      )}
    </ConfirmDialog>
  );
}
