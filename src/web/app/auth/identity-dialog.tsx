import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#web/ui/lazy-part.ts';
import { type IdentityQuestion, onIdentityQuestion } from './reauthentication.ts';

const ConfirmIdentity = lazyPart(() => import('#web/auth/security/confirm-identity.tsx'), 'ConfirmIdentity');

/** The dialog that asks for a recent proof of identity; its code is loaded when first needed. */
export function IdentityDialog() {
  const [asked, setAsked] = useState<(IdentityQuestion & { answer: (isProved: boolean) => void }) | null>(
    null,
  );
  useEffect(
    () =>
      onIdentityQuestion((question) => new Promise((resolve) => setAsked({ ...question, answer: resolve }))),
    [],
  );
  if (!asked) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmIdentity
        isCodeEnough={asked.isCodeEnough}
        onAnswer={(isProved) => {
          setAsked(null);
          asked.answer(isProved);
        }}
      />
    </Suspense>
  );
}
