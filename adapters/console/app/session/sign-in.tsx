/** The page for people without a session. */
import { type FormEvent, useId, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { Field } from "../elements/fields/field.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { useTexts } from "../texts/language.ts";
import { type SessionAnswer, SessionRefused, signInWithKey } from "./session.ts";
import "./sign-in.css";

interface SignInProps {
  /** Where the host signs people in; null for nowhere. */
  readonly signInUrl: string | null;
  /** Whether a session has just ended. */
  readonly hasEnded: boolean;
  /** Whether the page was opened with an address that does not sign in any more. */
  readonly isAddressUsed: boolean;
  readonly onSignedIn: (answer: SessionAnswer) => void;
}

export function SignIn({ signInUrl, hasEnded, isAddressUsed, onSignedIn }: SignInProps) {
  const { session: texts, frame, general } = useTexts();
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const place = useFocusOnRefusal<HTMLFormElement>(problem);
  const [isBusy, setBusy] = useState(false);
  const headingId = useId();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      onSignedIn(await signInWithKey(key.trim()));
    } catch (error) {
      setProblem(error instanceof SessionRefused ? texts.refused : general.offline);
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="sign-in" aria-labelledby={headingId}>
      <p className="product">{frame.product}</p>
      <h1 id={headingId}>{texts.title}</h1>
      {hasEnded ? <p role="status">{texts.ended}</p> : null}
      {isAddressUsed ? (
        <div role="alert">
          <p>
            <strong>{texts.addressUsed}</strong>
          </p>
          <p>{texts.newAddress}</p>
        </div>
      ) : null}
      {signInUrl === null ? null : (
        <a className="button primary" href={signInUrl}>
          {texts.hostSignIn}
        </a>
      )}
      <form ref={place} onSubmit={(event) => void submit(event)}>
        <p>{texts.intro}</p>
        <Field label={texts.key} hint={texts.keyHint} error={problem}>
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              autoComplete="off"
              spellCheck={false}
              required
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          )}
        </Field>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {texts.signIn}
        </Button>
      </form>
    </main>
  );
}
