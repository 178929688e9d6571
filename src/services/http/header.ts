/** Names and values of HTTP headers. */

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Characters that no header value can contain. */
const INVALID_VALUE = /[\0\r\n]|[^\0-\xff]/;

export const isHeaderName = (text: string) => TOKEN.test(text);
export const isHeaderValue = (text: string) => !INVALID_VALUE.test(text);
