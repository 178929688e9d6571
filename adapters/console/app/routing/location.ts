/** Where the page is: the path below the console and its query. Screens read them, and links change them. */
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from "react";

/** The mount path of the server, such as `/automation`; empty at the root. */
export const mount: string = document.documentElement.dataset["mount"] ?? "";

const base = `${mount}/console`;
const listeners = new Set<() => void>();

/** What is left: a step of the editor, a part of the screen, the screen, or the session with all that the browser keeps of it. */
export type Leaving = "step" | "part" | "screen" | "session";
/** Called before changes may be lost that are not stored. @returns What a person is asked; null if nothing is lost. */
type LeavingGuard = (leaving: Leaving) => string | null;

const guards = new Set<LeavingGuard>();

export interface Place {
  /** Path below `/console`, such as `/apps/app_1/runs`. */
  readonly path: string;
  readonly search: string;
  /** Whether somebody has gone on to it. A browser that goes back restores itself how far the page was scrolled. */
  readonly isNext: boolean;
}

let place = readPlace(false);

function readPlace(isNext: boolean): Place {
  const { pathname, search } = location;
  const below = pathname.startsWith(base) ? pathname.slice(base.length) : "";
  return { path: below.replace(/(?<!\/)\/+$/, "") || "/", search, isNext };
}

function update(isNext: boolean): void {
  place = readPlace(isNext);
  for (const listener of listeners) listener();
}

addEventListener("popstate", () => {
  const { path, search } = place;
  // The entry that the browser has gone to is replaced: nobody can tell in which direction it lies.
  if (!mayLeave(readPlace(false).path === path ? "part" : "screen")) history.pushState(null, "", urlOf(path + search));
  else update(false);
});

/** The URL of a path below the console. */
export const urlOf = (path: string): string => `${base}${path === "/" ? "/" : path}`;

export interface NavigateOptions {
  /** Whether the address replaces the one before it in the history. @default false */
  readonly replace?: boolean;
}

/** @param path Path below the console, with its query. */
export function navigate(path: string, { replace = false }: NavigateOptions = {}): void {
  const isSameScreen = path.split("?")[0] === place.path;
  if (!isSameScreen && !mayLeave()) return;
  // As with any link of a browser, the same address is no further step back.
  if (replace || path === place.path + place.search) history.replaceState(null, "", urlOf(path));
  else history.pushState(null, "", urlOf(path));
  update(true);
}

/** Notes in the history what leads on from here, such as a row of a list, for people who come back. */
export const noteWayOn = (id: string | null): void => history.replaceState(id === null ? null : { wayOn: id }, "");

/** What has led on from here, if somebody has come back. */
export function wayOn(): string | null {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("wayOn" in state)) return null;
  return typeof state.wayOn === "string" ? state.wayOn : null;
}

/** Asks if there are changes that are not stored: each question once. @returns Whether it may be left. */
export function mayLeave(leaving: Leaving = "screen"): boolean {
  const questions = new Set([...guards].map((guard) => guard(leaving)));
  return [...questions].every((question) => question === null || confirm(question));
}

/** @returns Removes the guard. */
export function guardLeaving(guard: LeavingGuard): () => void {
  guards.add(guard);
  return () => guards.delete(guard);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const placeNow = (): Place => place;

export const usePlace = (): Place => useSyncExternalStore(subscribe, () => place);

/** The place of the screen that is shown. It stays until the files of the next screen are loaded. */
export const ShownPlace = createContext<Place | null>(null);

/**
 * For what follows a response: leads on only while its screen is shown. Who has gone elsewhere meanwhile stays there.
 * @returns The same as {@link navigate}
 */
export function useNavigateFromHere(): typeof navigate {
  const { path: here } = useContext(ShownPlace) ?? place;
  return (path, options) => {
    if (place.path === here) navigate(path, options);
  };
}

/** The query of the address, and a function that changes parts of it. Null removes a parameter. */
export function useQueryParams(): [
  URLSearchParams,
  (changes: Readonly<Record<string, string | null>>, options?: NavigateOptions) => void,
] {
  const current = usePlace();
  const { path, search } = useContext(ShownPlace) ?? current;
  const params = useMemo(() => new URLSearchParams(search), [search]);
  // The same function within a screen: rows of lists get it, and are not drawn anew.
  const change = useCallback(
    (changes: Readonly<Record<string, string | null>>, options?: NavigateOptions) => {
      // The screen stays in view while the files of the next one are loaded, and a search waits for the end of typing.
      if (place.path !== path) return;
      const next = new URLSearchParams(location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      const query = next.toString();
      navigate(query === "" ? path : `${path}?${query}`, options);
    },
    [path],
  );
  return [params, change];
}
