/** The table of actions: the command menu, the shortcuts and the page of shortcuts come from it. */
import type { IconName } from "../elements/icons.tsx";
import { navigate } from "../routing/location.ts";
import { SECTIONS } from "../routing/screen-props.ts";
import { missingScope } from "../session/section-scopes.ts";
import type { Session } from "../session/session.ts";
import { changeSettings } from "../settings/use-settings.ts";
import type { Messages } from "../texts/messages.ts";

export interface Command {
  /** Stable name. */
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
  /** Keys that do it anywhere, as people read them. */
  readonly keys?: string;
  readonly run: () => void;
}

/** The commands that every screen has. */
export function commandsOf(texts: Messages, appId: string | null, session: Session): readonly Command[] {
  const { frame } = texts;
  const sections =
    appId === null
      ? []
      : SECTIONS.filter((section) => missingScope(session, section) === null).map((section) => ({
          name: `go-${section}`,
          label: frame[section],
          icon: section,
          run: () => navigate(section === "overview" ? `/apps/${appId}` : `/apps/${appId}/${section}`),
        }));
  return [
    ...sections,
    { name: "reference", label: frame.reference, icon: "reference", run: () => navigate("/docs") },
    { name: "settings", label: frame.settings, icon: "settings", run: () => navigate("/settings") },
    { name: "shortcuts", label: frame.shortcuts, icon: "help", run: () => navigate("/shortcuts") },
    {
      name: "theme-light",
      label: `${frame.theme}: ${texts.settings.themes.light}`,
      icon: "sun",
      run: () => changeSettings({ theme: "light" }),
    },
    {
      name: "theme-dark",
      label: `${frame.theme}: ${texts.settings.themes.dark}`,
      icon: "moon",
      run: () => changeSettings({ theme: "dark" }),
    },
  ];
}
