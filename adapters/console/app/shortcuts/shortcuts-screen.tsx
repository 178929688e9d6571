/** All keys, from the tables that the screens themselves read. */
import type { ReactNode } from "react";
import { PageHead } from "../elements/page-head.tsx";
import { commandsOf } from "../frame/commands.ts";
import { Link } from "../routing/link.tsx";
import { useSession } from "../session/session-context.ts";
import { useSettings } from "../settings/use-settings.ts";
import { useTexts } from "../texts/language.ts";
import { Keys } from "./keys.tsx";
import { shortcutGroups } from "./shortcut-groups.ts";
import "./shortcuts-screen.css";

export default function ShortcutsScreen() {
  const { shortcuts } = useTexts();
  return (
    <>
      <PageHead title={shortcuts.title} below={shortcuts.intro} />
      <ShortcutList />
    </>
  );
}

/** Commands are only listed here. */
const nothing = () => {};

export function ShortcutList() {
  const texts = useTexts();
  const { shortcuts } = texts;
  const { hasShortcuts } = useSettings();
  const session = useSession();
  const lettersOf = (letters: readonly string[]) => (hasShortcuts ? letters : []);
  return (
    <div className="shortcuts-screen">
      {hasShortcuts ? null : (
        <p>
          {shortcuts.lettersOff} <Link to="/settings">{shortcuts.settings}</Link>
        </p>
      )}
      {shortcutGroups(shortcuts).map(({ title, hint, rows }) => (
        <Group key={title} title={title} hint={hint}>
          {rows
            .map(({ letters, keys, ...row }) => ({ ...row, combinations: [...keys, ...lettersOf(letters)] }))
            .filter(({ combinations }) => combinations.length > 0)
            .map(({ action, does, combinations }) => (
              <Shortcut key={action} does={does} combinations={combinations} />
            ))}
        </Group>
      ))}
      <Group title={shortcuts.commands}>
        {commandsOf(texts, { appId: session.app_id, session, onSignOut: nothing }).map(({ name, label, keys }) => (
          <Shortcut key={name} does={label} combinations={keys === undefined ? [] : [keys]} />
        ))}
      </Group>
    </div>
  );
}

interface GroupProps {
  readonly title: string;
  readonly hint?: string | undefined;
  readonly children: ReactNode;
}

function Group({ title, hint, children }: GroupProps) {
  return (
    <section>
      <h2>{title}</h2>
      {hint === undefined ? null : <p className="hint">{hint}</p>}
      <dl>{children}</dl>
    </section>
  );
}

function Shortcut({ does, combinations }: { readonly does: string; readonly combinations: readonly string[] }) {
  const { frame } = useTexts();
  return (
    <div>
      <dt>{does}</dt>
      <dd>
        {combinations.length === 0 ? <span className="menu-only">{frame.commandMenu}</span> : null}
        {combinations.map((combination) => (
          <Keys key={combination} combination={combination} />
        ))}
      </dd>
    </div>
  );
}
