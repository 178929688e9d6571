/** Line ends of texts. */

/** Browsers send every line end of a form as CR LF (HTML standard, "constructing the entry list"), whatever the page contains. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, "\n");
