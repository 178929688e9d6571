/** Makes the wall clock of this process settable. */
const machine = Date.now.bind(Date);
let offset = 0;

Date.now = () => machine() + offset;

/** Moves the clock forward without affecting timers. */
export function setForward(milliseconds: number): void {
  offset += milliseconds;
}
