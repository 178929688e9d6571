/** The resources that use another one, each with a link to it. */
import type { ResourceUser } from "../../../../../src/errors.ts";
import { Link } from "../../routing/link.tsx";
import { useTexts } from "../../texts/language.ts";
import "./users.css";

export type User = ResourceUser;

export function Users({ appId, users }: { readonly appId: string; readonly users: readonly User[] }) {
  const { general } = useTexts();
  return (
    <ul className="users">
      {users.map((user) => (
        <li key={`${user.type} ${user.collection_id} ${user.id}`}>
          <span className="kind">{general.kinds[user.type]}</span> <UserLink appId={appId} user={user} />
        </li>
      ))}
    </ul>
  );
}

/** Screens by the type of the resource. */
const PATHS: Readonly<Record<string, (user: User) => string>> = {
  workflow: ({ id }) => `workflows/${id}`,
  schedule: ({ id }) => `schedules/${id}`,
  collection: ({ id }) => `collections/${id}`,
  rule: ({ collection_id }) => `collections/${collection_id}/settings`,
  trigger: ({ collection_id }) => `collections/${collection_id}/settings`,
};

function UserLink({ appId, user }: { readonly appId: string; readonly user: User }) {
  const path = PATHS[user.type]?.(user);
  const name = user.name ?? user.id;
  return path === undefined ? <bdi>{name}</bdi> : <Link to={`/apps/${appId}/${path}`}>{name}</Link>;
}
