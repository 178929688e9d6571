/** The sections of an app: a rail, or a bar below on narrow screens. */
import { Icon } from "../elements/icons.tsx";
import { useWaitingCount } from "../inbox/waiting-count.ts";
import { Link } from "../routing/link.tsx";
import { SECTIONS, type Section } from "../routing/screen-props.ts";
import { missingScope } from "../session/section-scopes.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";

export function Navigation({ appId, section }: { readonly appId: string; readonly section: Section | null }) {
  const { frame } = useTexts();
  const waiting = useWaitingCount(appId);
  const session = useSession();
  return (
    <nav className="navigation" aria-label={frame.navigation}>
      <ul>
        {SECTIONS.map((name) => {
          const scope = missingScope(session, name);
          if (scope !== null) return <Closed key={name} section={name} scope={scope} />;
          return (
            <li key={name}>
              <Link
                to={name === "overview" ? `/apps/${appId}` : `/apps/${appId}/${name}`}
                current="none"
                aria-current={name === section ? "page" : undefined}
              >
                <Icon name={name} />
                <span className="word" data-word={frame[name]}>
                  {frame[name]}
                </span>
                {name === "inbox" && waiting > 0 ? (
                  <span className="count">
                    <span aria-hidden="true">{waiting > 99 ? "99+" : waiting}</span>
                    <span className="visually-hidden">{frame.waiting(waiting)}</span>
                  </span>
                ) : null}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** A section that the session may not read. */
function Closed({ section, scope }: { readonly section: Section; readonly scope: string }) {
  const { frame, general } = useTexts();
  return (
    <li>
      <span className="closed" title={general.needsScope(scope)}>
        <Icon name={section} />
        <span className="word" data-word={frame[section]}>
          {frame[section]}
        </span>
        <span className="visually-hidden">{general.needsScope(scope)}</span>
      </span>
    </li>
  );
}
