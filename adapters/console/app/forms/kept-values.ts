/** What was typed and not sent yet, for this tab: it survives a reload, and leaves with the session. */

const PREFIX = "stepwell-typed:";

/** @param name Of the form, such as `new-run/app_…/wf_…`. */
export function keepValues(name: string, values: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(values));
  } catch {
    // Without storage, or with too much in it, they hold until the page is left.
  }
}

/** Null if there are none. Another version of the console may have written them. */
export function keptValues(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

export function dropValues(name: string): void {
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing was kept.
  }
}

/** When somebody signs out. */
export function dropAllValues(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
