/** The build of the analyser that needs neither Java nor a binary. */
declare module "recheck/lib/browser.js" {
  export { checkSync } from "recheck";
}
