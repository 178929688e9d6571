/** The sections of an app: a rail, or a bar below on narrow screens, which has room for the first four. */
import { Menu } from "../elements/controls/menu.tsx";
import { Icon } from "../elements/icons.tsx";
import { useWaitingCount } from "../inbox/waiting-count.ts";
import { Link } from "../routing/link.tsx";
import { navigate } from "../routing/location.ts";
import { SECTIONS, type Section, sectionPath } from "../routing/screen-props.ts";
import { sectionRefusal } from "../session/section-scopes.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";

/** Sections behind "More", where the bar is below. */
const REST = SECTIONS.slice(4);

const classOf = (name: Section) => (REST.includes(name) ? "in-rest" : undefined);

export function Navigation({ appId, section }: { readonly appId: string; readonly section: Section | null }) {
  const texts = useTexts();
  const { frame } = texts;
  const waiting = useWaitingCount(appId);
  const session = useSession();
  return (
    <nav className="navigation" aria-label={frame.navigation}>
      <ul>
        {SECTIONS.map((name) => {
          const refusal = sectionRefusal(session, name, texts);
          if (refusal !== null) return <Closed key={name} section={name} refusal={refusal} />;
          return (
            <li key={name} className={classOf(name)}>
              <Link
                to={sectionPath(appId, name)}
                current="none"
                title={frame[name]}
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
        <li className={section !== null && REST.includes(section) ? "rest chosen" : "rest"}>
          <Menu
            label={frame.moreSections}
            face={
              <>
                <Icon name="more" />
                <span className="word">{frame.moreSections}</span>
              </>
            }
            items={REST.map((name) => ({
              label: frame[name],
              icon: name,
              refusal: sectionRefusal(session, name, texts) ?? undefined,
              onChoose: () => navigate(sectionPath(appId, name)),
            }))}
          />
        </li>
      </ul>
    </nav>
  );
}

/** A section that the session may not read. */
function Closed({ section, refusal }: { readonly section: Section; readonly refusal: string }) {
  const { frame } = useTexts();
  return (
    <li className={classOf(section)}>
      <span className="closed" title={refusal}>
        <Icon name={section} />
        <span className="word" data-word={frame[section]}>
          {frame[section]}
        </span>
        <span className="visually-hidden">{refusal}</span>
      </span>
    </li>
  );
}
