/** What it takes to sign in: the way of the host, and a key. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { Field } from "../elements/fields/field.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { pauseAfter } from "../server/connection.ts";
import { useTexts } from "../texts/language.ts";
import { type SessionAnswer, SessionRefused, SessionUnavailable, signInWithKey } from "./session.ts";
import "./sign-in.css";

interface SignInFormProps {
  /** Where the host signs people in; null for nowhere. */
  readonly signInUrl: string | null;
  /** Whether the page stays as it is, so that the host signs people in in another tab. @default false */
  readonly keepsPage?: boolean;
  /** It goes on being busy until this has resolved. */
  readonly onSignedIn: (answer: SessionAnswer) => void | Promise<void>;
}

export function SignInForm({ signInUrl, keepsPage = false, onSignedIn }: SignInFormProps) {
  const { session: texts, general } = useTexts();
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const place = useFocusOnRefusal<HTMLFormElement>(problem);
  const [isBusy, setBusy] = useState(false);
  const gone = useRef(new AbortController());
  useEffect(() => {
    gone.current = new AbortController();
    return () => gone.current.abort();
  }, []);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await onSignedIn(await signIn());
    } catch (error) {
      if (!gone.current.signal.aborted) setProblem(error instanceof SessionRefused ? texts.refused : general.offline);
    } finally {
      setBusy(false);
    }
  }

  /** Goes on trying while the server says that it cannot sign anybody in now. */
  async function signIn(): Promise<SessionAnswer> {
    const { signal } = gone.current;
    for (let failures = 1; ; failures++) {
      try {
        return await signInWithKey(key.trim());
      } catch (error) {
        if (!(error instanceof SessionUnavailable) || signal.aborted) throw error;
        setProblem(`${error.sentence ?? texts.silent} ${texts.triesAgain}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseAfter(failures)));
      signal.throwIfAborted();
    }
  }

  return (
    <>
      {signInUrl === null ? null : (
        <a className="button primary" href={withReturn(signInUrl)} target={keepsPage ? "_blank" : undefined}>
          {texts.hostSignIn}
        </a>
      )}
      <form ref={place} className="sign-in-form" onSubmit={(event) => void submit(event)}>
        <p>{texts.intro}</p>
        <Field label={texts.key} hint={texts.keyHint} error={problem} isAlert>
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              autoComplete="off"
              spellCheck={false}
              required
              value={key}
              onChange={(event) => setKey(event.target.value)}
              readOnly={isBusy}
            />
          )}
        </Field>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {texts.signIn}
        </Button>
      </form>
    </>
  );
}

/** The address of this page is where the person comes back to. */
const withReturn = (url: string) =>
  url.replace("{return_to}", () => encodeURIComponent(location.pathname + location.search));
