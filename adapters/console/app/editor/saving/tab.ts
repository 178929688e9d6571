/** The id of this tab, which stays when the page is loaded again. */

const NAME = "stepwell-tab";
const lockOf = (tab: string) => `stepwell-tab ${tab}`;

let own: Promise<string> | null = null;

/** Holds a lock for as long as the tab is open, by which others see that it is. */
export function tabId(): Promise<string> {
  own ??= claim(stored() ?? newId());
  return own;
}

const newId = () => Math.random().toString(36).slice(2, 12);

function stored(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** A copied tab has the id of the first one, so it takes another. */
async function claim(wanted: string): Promise<string> {
  const tab = (await isFree(wanted)) ? wanted : await claimNew();
  try {
    sessionStorage.setItem(NAME, tab);
  } catch {
    // It holds until the page is left.
  }
  return tab;
}

async function claimNew(): Promise<string> {
  const tab = newId();
  await isFree(tab);
  return tab;
}

/** Whether the lock was free. It is then held for good. Without locks, which need a secure context, it always is. */
function isFree(tab: string): Promise<boolean> {
  if (!("locks" in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(lockOf(tab), { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => {});
    });
  });
}

/** Whether another tab of this browser is open. */
export async function isTabOpen(tab: string): Promise<boolean> {
  if (!("locks" in navigator)) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockOf(tab));
}
