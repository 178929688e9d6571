/** What to do when a server does not accept the admin key. */
import { isStepwellError } from "../../../src/errors.ts";
import { CommandError, EXIT } from "../terminal/failure.ts";

/** Calls functions that need the admin key. @throws CommandError if the server does not accept it */
export async function withAdminHint<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isStepwellError(error, "unauthorized")) throw error;
    const hint = "Pass the admin key with --admin-key or STEPWELL_ADMIN_KEY: the option adminKey of the server.";
    throw new CommandError(EXIT.refused, error.message, hint, [], error.code);
  }
}
