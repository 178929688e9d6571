/** The table of actions: the command menu, the shortcuts and the page of shortcuts come from it. */

import { LANGUAGES } from "../../../../src/web-pages/languages.ts";
import type { IconName } from "../elements/icons.tsx";
import { navigate } from "../routing/location.ts";
import { SECTIONS } from "../routing/screen-props.ts";
import { sectionRefusal } from "../session/section-scopes.ts";
import { hasScope, type Session } from "../session/session.ts";
import { LANGUAGE_NAMES } from "../settings/settings.ts";
import { changeSettings } from "../settings/use-settings.ts";
import type { Messages } from "../texts/messages.ts";

export interface Command {
  /** Stable name. */
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
  /** Keys that do it anywhere, as people read them. */
  readonly keys?: string;
  /** The word of an action on something that was found, such as "Run". */
  readonly verb?: string;
  /** Whether it leads to a page of the app. @default false */
  readonly isPage?: boolean;
  /** Whether its label says only together with what the screen is about what it does. @default false */
  readonly isOfScreen?: boolean;
  /** Why it cannot be done now. */
  readonly refusal?: string | undefined;
  readonly run: () => void;
}

/** The name of the command that runs a workflow. What a button does with this name (`data-command`) is not offered twice. */
export const runCommand = (workflowId: string): string => `run ${workflowId}`;

/** Where the commands are offered, and to whom. */
export interface CommandPlace {
  readonly appId: string | null;
  readonly session: Session;
  readonly onSignOut: (() => void) | null;
}

export function commandsOf(texts: Messages, { appId, session, onSignOut }: CommandPlace): readonly Command[] {
  const { frame, settings } = texts;
  const sections =
    appId === null
      ? []
      : SECTIONS.filter((section) => sectionRefusal(session, section, texts) === null).map((section) => ({
          name: `go-${section}`,
          label: frame[section],
          icon: section,
          isPage: true,
          run: () => navigate(section === "overview" ? `/apps/${appId}` : `/apps/${appId}/${section}`),
        }));
  return [
    ...sections,
    ...(appId === null ? [] : creationsOf(texts, appId, session)),
    { name: "reference", label: frame.reference, icon: "reference", run: () => navigate("/docs") },
    { name: "settings", label: frame.settings, icon: "settings", run: () => navigate("/settings") },
    { name: "shortcuts", label: frame.shortcuts, icon: "help", run: () => navigate("/shortcuts") },
    {
      name: "theme-light",
      label: `${settings.theme}: ${settings.themes.light}`,
      icon: "sun",
      run: () => changeSettings({ theme: "light" }),
    },
    {
      name: "theme-dark",
      label: `${settings.theme}: ${settings.themes.dark}`,
      icon: "moon",
      run: () => changeSettings({ theme: "dark" }),
    },
    {
      name: "theme-system",
      label: `${settings.theme}: ${settings.themes.system}`,
      icon: "settings",
      run: () => changeSettings({ theme: "system" }),
    },
    ...LANGUAGES.map((language) => ({
      name: `language-${language}`,
      label: `${frame.language}: ${LANGUAGE_NAMES[language]}`,
      icon: "settings" as const,
      run: () => changeSettings({ language }),
    })),
    ...(onSignOut === null ? [] : [{ name: "sign-out", label: frame.signOut, icon: "skip" as const, run: onSignOut }]),
  ];
}

/** What can be created from anywhere. */
function creationsOf(texts: Messages, appId: string, session: Session): readonly Command[] {
  const workflow = {
    name: "new-workflow",
    label: texts.workflows.newWorkflow,
    icon: "plus" as const,
    run: () => navigate(`/apps/${appId}/workflows?new=1`),
  };
  const key = {
    name: "new-key",
    label: texts.keys.create,
    icon: "plus" as const,
    run: () => navigate(`/apps/${appId}/keys?new=1`),
  };
  const isForWorkflows = hasScope(session, "workflows:write") && hasScope(session, "workflows:read");
  return [...(isForWorkflows ? [workflow] : []), ...(session.admin ? [key] : [])];
}
