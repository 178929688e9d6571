/**
 * Ids as the library takes them: it writes them into selectors, where a quote or a backslash in the key of a step or in the
 * name of a condition would be an error.
 */

const UNSAFE = /[^\w .:-]/g;
const ESCAPED = /%([0-9a-f]+);/g;

/** @param id Id of a step or a port */
export const flowId = (id: string): string => id.replace(UNSAFE, (unit) => `%${unit.charCodeAt(0).toString(16)};`);

export const idOfFlow = (id: string): string =>
  id.replace(ESCAPED, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
