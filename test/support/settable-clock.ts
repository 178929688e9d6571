/** Makes the wall clock of this process one that can be set. */
const machine = Date.now.bind(Date);
let offset = 0;

Date.now = () => machine() + offset;

/** Sets the clock forward, and no timer. */
export function setForward(milliseconds: number): void {
  offset += milliseconds;
}
