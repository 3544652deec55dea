/** The proof of identity that the server requires; `isCodeEnough` if an authenticator app's code is accepted. */
export type IdentityQuestion = { isCodeEnough: boolean };

type Ask = (question: IdentityQuestion) => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** Registers the function that opens the identity dialog, and returns a function that unregisters it. */
export function onIdentityQuestion(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = null;
  };
}

type Refusal = { code?: string | undefined; details?: Record<string, unknown> | undefined };

/**
 * If a call was refused for lack of a recent proof of identity, asks for one in a dialog. Returns true if the call can
 * now be repeated, false if the person closed the dialog, and undefined for any other refusal or if no dialog is
 * registered. Calls that are refused while the dialog is open share the dialog.
 */
export async function askForIdentity({ code, details }: Refusal): Promise<boolean | undefined> {
  const isProofNeeded = code === 'reauthentication_needed' || code === 'confirmation_required';
  if (!isProofNeeded || !ask) return undefined;
  asking ??= ask({ isCodeEnough: details?.isCodeEnough === true }).finally(() => {
    asking = null;
  });
  return asking;
}
