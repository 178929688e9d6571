/** What stands around every screen: the bar above, the navigation, and the place for the screen. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Announced } from "../elements/announced.tsx";
import { IconButton } from "../elements/controls/button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { useGoneOn } from "../elements/gone-on.ts";
import { Icon } from "../elements/icons.tsx";
import { useKeptFocus } from "../elements/keep-focus.ts";
import { Loading } from "../elements/loading.tsx";
import { useDarkSystem } from "../elements/media-queries.ts";
import { useLiveApp } from "../live/use-live-app.ts";
import { Link } from "../routing/link.tsx";
import { mayLeave, navigate, usePlace } from "../routing/location.ts";
import type { Section } from "../routing/screen-props.ts";
import { unstoredData } from "../session/kept-data.ts";
import { leave } from "../session/leave.ts";
import type { SessionAnswer } from "../session/session.ts";
import { useSession } from "../session/session-context.ts";
import { changeSettings, useSettings } from "../settings/use-settings.ts";
import { isForPage } from "../shortcuts/page-keys.ts";
import { actionOf } from "../shortcuts/shortcut-table.ts";
import { useTexts } from "../texts/language.ts";
import { AppName } from "./app-name.tsx";
import { CommandMenu } from "./command-menu.tsx";
import { FRAME_SHORTCUTS } from "./frame-shortcuts.ts";
import { LiveSign } from "./live-sign.tsx";
import { Navigation } from "./navigation.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import "./frame.css";

interface FrameProps {
  readonly section: Section | null;
  /** The app of the address; null beside apps. */
  readonly appId: string | null;
  /** The path of the screen in the content: that of the address, once its files are loaded. */
  readonly shownPath: string;
  readonly onSession: (answer: SessionAnswer) => void;
  readonly children: ReactNode;
}

export function Frame({ section, appId, shownPath, onSession, children }: FrameProps) {
  const { frame, shortcuts } = useTexts();
  const [isMenuOpen, setMenuOpen] = useState(false);
  useCommandKey(() => setMenuOpen(true));
  const [isHelpOpen, setHelpOpen] = useHelp();
  const { dialog, attempt } = useProblemDialog(frame.notSignedOut);
  const isSigningOut = useRef(false);
  // The host signs out who has signed in there.
  const mayEnd = useSession().expires_at !== null;
  const signOut = () => {
    if (isSigningOut.current || !mayLeave("session")) return;
    isSigningOut.current = true;
    void attempt(async () => {
      const lost = (await unstoredData()).map((what) => `• ${frame.unstored[what]}`);
      if (lost.length > 0 && !confirm([frame.signOutLoses, ...lost, frame.signOutAnyway].join("\n"))) return;
      await leave(onSession);
    }).finally(() => {
      isSigningOut.current = false;
    });
  };
  const isAwaited = useFocusOnNewScreen(shownPath);
  useKeptFocus();
  useGoneOn();
  useLiveApp(appId);
  return (
    <div className={appId === null ? "frame without-app" : "frame"}>
      <a className="skip-link" href="#content">
        {frame.skipToContent}
      </a>
      <Announced />
      <header className="top-bar">
        <Link to={appId === null ? "/" : `/apps/${appId}`} className="product" current="none">
          {frame.product}
        </Link>
        {appId === null ? null : <AppName appId={appId} />}
        <button type="button" className="search-button" onClick={() => setMenuOpen(true)} aria-keyshortcuts="Control+K">
          <Icon name="search" />
          <span>{frame.searchOrDo}</span>
          <kbd>{shortcuts.keys.Control} K</kbd>
        </button>
        {appId === null ? null : <LiveSign />}
        <ThemeButton />
        <SessionMenu onSignOut={mayEnd ? signOut : null} />
      </header>
      {appId === null ? null : <Navigation appId={appId} section={section} />}
      <main id="content" className="content" tabIndex={-1}>
        {isAwaited ? (
          <div className="next-screen">
            <Loading />
          </div>
        ) : null}
        {/* What somebody has left is only looked at: a form that was sent is not sent again. */}
        <div className="screen" inert={isAwaited}>
          {children}
        </div>
      </main>
      {isHelpOpen ? <ShortcutsDialog onClose={() => setHelpOpen(false)} /> : null}
      {isMenuOpen ? (
        <CommandMenu appId={appId} onSignOut={mayEnd ? signOut : null} onClose={() => setMenuOpen(false)} />
      ) : null}
      {dialog}
    </div>
  );
}

/** Ctrl K, or Command K. */
function useCommandKey(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (actionOf(FRAME_SHORTCUTS, event, false) !== "commandMenu") return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  });
}

/** A question mark opens the list of all keys, where no text is typed. A link in the list leads away from it. */
function useHelp(): [boolean, (isOpen: boolean) => void] {
  const { path } = usePlace();
  const [openAt, setOpenAt] = useState<string | null>(null);
  if (openAt !== null && openAt !== path) setOpenAt(null);
  useHelpKey(() => setOpenAt(path));
  return [openAt === path, (isOpen) => setOpenAt(isOpen ? path : null)];
}

function useHelpKey(open: () => void): void {
  const { hasShortcuts } = useSettings();
  useEffect(() => {
    if (!hasShortcuts) return undefined;
    const listen = (event: KeyboardEvent) => {
      if (actionOf(FRAME_SHORTCUTS, event, true) !== "help") return;
      if (isForPage(event)) open();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [hasShortcuts, open]);
}

/**
 * The focus of a link that has led to another screen would be lost with it; its heading says which screen it is.
 * @returns Whether the files of that screen are awaited
 */
function useFocusOnNewScreen(shownPath: string): boolean {
  const { path } = usePlace();
  const [shown, setShown] = useState(path);
  useEffect(() => {
    if (path === shown) return;
    setShown(path);
    // A list beside what it opens keeps the focus.
    if (document.activeElement?.closest("[data-keeps-focus]")?.checkVisibility() === true) return;
    const content = document.getElementById("content");
    // The heading of a screen that is being left is not read out again.
    const heading = shownPath === path ? content?.querySelector<HTMLElement>("h1[tabindex]") : undefined;
    (heading ?? content)?.focus({ preventScroll: true });
  }, [path, shown, shownPath]);
  return shownPath !== path;
}

function ThemeButton() {
  const { frame } = useTexts();
  const { theme } = useSettings();
  const isDarkSystem = useDarkSystem();
  const isDark = theme === "system" ? isDarkSystem : theme === "dark";
  return (
    <IconButton
      icon={isDark ? "sun" : "moon"}
      label={frame.darkTheme}
      className="theme-button"
      aria-pressed={isDark}
      onClick={() => changeSettings({ theme: isDark ? "light" : "dark" })}
    />
  );
}

function SessionMenu({ onSignOut }: { readonly onSignOut: (() => void) | null }) {
  const { frame } = useTexts();
  const session = useSession();
  return (
    <Menu
      label={session.name ?? frame.account}
      face={<Icon name="person" />}
      items={[
        ...(session.admin ? [{ label: frame.apps, icon: "apps" as const, onChoose: () => navigate("/apps") }] : []),
        { label: frame.reference, icon: "reference", onChoose: () => navigate("/docs") },
        { label: frame.settings, icon: "settings", onChoose: () => navigate("/settings") },
        { label: frame.shortcuts, icon: "help", onChoose: () => navigate("/shortcuts") },
        ...(onSignOut === null ? [] : [{ label: frame.signOut, icon: "skip" as const, onChoose: onSignOut }]),
      ]}
    />
  );
}
