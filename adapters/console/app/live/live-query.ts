/** How queries stay up to date without a stream: they ask again, in a visible page only. */

const INTERVAL_MS = 5_000;

/** Options of queries whose data changes by itself. */
export const LIVE_QUERY = { refetchInterval: INTERVAL_MS, refetchIntervalInBackground: false } as const;
